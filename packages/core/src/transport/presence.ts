import { hostname } from "node:os";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import type { Link } from "./link.js";
import { encodeJson, parseJson } from "./message.js";
import { librariansOf, partsOf, replicaOf } from "./presence-entries.js";
import type { PresentLibrarian, Replica } from "./transport.js";

/** How often the entries that describe librarians are written anew, in milliseconds. */
const renewMs = 60_000;

/** How long what a lost process served is kept, in milliseconds. */
const lostTtlMs = 600_000;

/** Signs of life after which a process without one counts as gone. */
const missedBeats = 3;

/** A process, as its entries describe it. */
interface Process {
  replica: Replica;
  seenAt: number;
  /** It gave no sign of life for too long. What it serves is kept: it may have been cut off for a while. */
  isLost: boolean;
  /** By number of the entry. */
  readonly librarians: Map<number, readonly LibrarianInfo[]>;
}

/**
 * Who is present: each process has one entry that it writes again and again, and others that describe
 * its librarians. A reader counts time by its own clock.
 */
export class Presence {
  readonly #link: Link;
  readonly #beatMs: number;
  readonly #own: Replica;
  readonly #served = new Map<string, LibrarianInfo>();
  readonly #processes = new Map<string, Process>();
  readonly #listeners = new Set<() => void>();
  readonly #onGone: (process: string) => void;
  #written = 0;
  #renewedAt = 0;
  #lookedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopWatching: () => void = () => undefined;
  #isNotifying = false;
  #isReading = false;
  #known: ReadonlyMap<string, PresentLibrarian> | undefined;

  /** @param onGone - Called with the id of a process that is gone. */
  constructor(link: Link, id: string, beatMs: number, onGone: (process: string) => void) {
    this.#link = link;
    this.#beatMs = beatMs;
    this.#onGone = onGone;
    this.#own = { id, host: hostname(), pid: process.pid, since: Date.now() };
  }

  /** Writes the own entries, and learns those of the others. */
  async open(): Promise<void> {
    await this.#write();
    this.#isReading = true; // all entries there are now are one change
    try {
      const onEntry = (key: string, value: Uint8Array | undefined) => this.#onEntry(key, value);
      this.#stopWatching = await this.#link.presence.watch(onEntry);
    } finally {
      this.#isReading = false;
    }
    this.#callListeners();
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => {
      this.#removeLost();
      void this.#write().catch(() => undefined); // the next one may get through
    }, this.#beatMs).unref();
  }

  serve(librarian: LibrarianInfo): void {
    this.#served.set(librarian.id, librarian);
    this.#changed();
  }

  unserve(id: string): void {
    this.#served.delete(id);
    this.#changed();
  }

  list(): readonly PresentLibrarian[] {
    return [...this.#present().values()];
  }

  /** The processes that serve a librarian. */
  replicas(librarian: string): readonly Replica[] {
    return this.#present().get(librarian)?.replicas ?? [];
  }

  #present(): ReadonlyMap<string, PresentLibrarian> {
    this.#known ??= this.#gather();
    return this.#known;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes the own entries. Never rejects. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopWatching();
    const keys = [this.#own.id, ...Array.from({ length: this.#written }, (_, at) => this.#key(at))];
    await Promise.all(keys.map((key) => this.#link.presence.remove(key).catch(() => undefined)));
  }

  #changed(): void {
    this.#renewedAt = 0;
    if (this.#timer !== undefined) void this.#write().catch(() => undefined);
    this.#notify();
  }

  async #write(): Promise<void> {
    const now = performance.now();
    const { presence } = this.#link;
    if (this.#renewedAt === 0 || now - this.#renewedAt > renewMs) {
      this.#renewedAt = now;
      const parts = partsOf([...this.#served.values()]);
      const before = this.#written;
      this.#written = parts.length;
      await Promise.all(parts.map((part, at) => presence.put(this.#key(at), encodeJson(part))));
      for (let at = parts.length; at < before; at++) await presence.remove(this.#key(at));
    }
    await presence.put(this.#own.id, encodeJson(this.#own));
  }

  #key(part: number): string {
    return `${this.#own.id}.${part}`;
  }

  #onEntry(key: string, value: Uint8Array | undefined): void {
    const [id = "", part] = key.split(".");
    if (id === this.#own.id) return;
    if (part !== undefined) {
      const number = Number(part);
      if (!Number.isSafeInteger(number)) return;
      const process = this.#processes.get(id) ?? this.#add(id);
      if (value === undefined) process.librarians.delete(number);
      else process.librarians.set(number, librariansOf(parseJson(value)));
      this.#notify();
      return;
    }
    if (value === undefined) {
      this.#remove(id);
      return;
    }
    const process = this.#processes.get(id) ?? this.#add(id);
    const isNews = process.isLost || process.replica.pid === 0;
    process.replica = replicaOf(id, parseJson(value));
    process.seenAt = performance.now();
    process.isLost = false;
    if (isNews) this.#notify();
  }

  #add(id: string): Process {
    const replica = { id, host: "", pid: 0, since: 0 };
    const added = { replica, seenAt: performance.now(), isLost: false, librarians: new Map() };
    this.#processes.set(id, added);
    return added;
  }

  #removeLost(): void {
    const now = performance.now();
    const sinceLookMs = now - this.#lookedAt;
    this.#lookedAt = now;
    if (sinceLookMs > 2 * this.#beatMs) return; // stood still itself: what came meanwhile is yet to be read
    for (const [id, process] of this.#processes) {
      const silentMs = now - process.seenAt;
      if (silentMs > lostTtlMs) this.#processes.delete(id);
      if (process.isLost || silentMs <= this.#beatMs * missedBeats) continue;
      process.isLost = true;
      this.#isGone(id);
    }
  }

  #remove(id: string): void {
    if (this.#processes.delete(id)) this.#isGone(id);
  }

  #isGone(id: string): void {
    this.#onGone(id);
    this.#notify();
  }

  /** Once for all that changes in this turn of the event loop. */
  #notify(): void {
    this.#known = undefined;
    if (this.#isNotifying || this.#isReading) return;
    this.#isNotifying = true;
    setImmediate(() => {
      this.#isNotifying = false;
      this.#callListeners();
    });
  }

  #callListeners(): void {
    this.#known = undefined;
    for (const listener of this.#listeners) listener();
  }

  #gather(): ReadonlyMap<string, PresentLibrarian> {
    const found = new Map<string, { info: LibrarianInfo; replicas: Replica[] }>();
    const add = (info: LibrarianInfo, replica: Replica) => {
      const present = found.get(info.id);
      if (present === undefined) found.set(info.id, { info, replicas: [replica] });
      else present.replicas.push(replica);
    };
    for (const info of this.#served.values()) add(info, this.#own);
    for (const { replica, librarians, isLost } of this.#processes.values()) {
      if (isLost || replica.pid === 0) continue; // or its own entry has yet to come
      for (const part of librarians.values()) for (const info of part) add(info, replica);
    }
    return found;
  }
}
