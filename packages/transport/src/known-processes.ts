import { createHash } from "node:crypto";
import { librarianInfoSchema } from "@constellation/authoring/schemas";
import type { LibrarianInfo } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { parseJson } from "./message.js";
import type { Address } from "./subjects.js";
import type { PresentLibrarian, Replica } from "./transport.js";

/** How long the librarians of a lost process are kept, in milliseconds: it may only be disconnected. */
const lostTtlMs = 600_000;

/** Number of pings without an answer, one after the other, after which a process counts as lost. */
const maxUnanswered = 3;

/** Maximum number of processes, and of librarians of one, that are known. */
const limits = { processes: 10_000, librarians: 10_000 };

/** A process that serves librarians, as it announces itself. */
export interface Process extends Address {
  readonly replica: Replica;
  readonly librarians: Map<string, { readonly info: LibrarianInfo; readonly digest: number }>;
  /** Number of the last change of each librarian, also of removed ones, because messages may be reordered. */
  readonly changes: Map<string, number>;
  /** Number of its librarians, as it reports. */
  count: number;
  /** Number of unanswered pings since the last answer. */
  unanswered: number;
  isLost: boolean;
  seenAt: number;
  /** Digest of its id. */
  readonly nodeDigest: number;
}

/** An announcement about one librarian of another process: `member` when it serves it, `left` when it has stopped. */
export interface Announcement {
  readonly node: string;
  readonly librarian: string;
  /** From another process: may be anything. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** The other processes that serve librarians, as they have announced themselves. */
export class KnownProcesses {
  readonly #byNode = new Map<string, Process>();

  get size(): number {
    return this.#byNode.size;
  }

  get(node: string): Process | undefined {
    return this.#byNode.get(node);
  }

  nodes(): readonly string[] {
    return [...this.#byNode.keys()];
  }

  /** Processes that have not answered a ping, and do not count as lost yet. */
  doubtful(): readonly Process[] {
    return [...this.#byNode.values()].filter((each) => each.unanswered > 0 && !each.isLost);
  }

  /** Whether at least so many processes have announced all of their librarians. */
  areComplete(total: number): boolean {
    const whole = [...this.#byNode.values()].filter((each) => each.librarians.size >= each.count);
    return whole.length >= total;
  }

  /** @returns Whether it changes which librarians are present; `undefined`: it is invalid, or a later one came before it. */
  receive({ node, librarian, header, body }: Announcement): boolean | undefined {
    const { t, count } = header;
    if (t !== "member" && t !== "left") return undefined;
    const change = typeof header.change === "number" ? header.change : 0;
    const present = this.#byNode.get(node);
    if (change < (present?.changes.get(librarian) ?? 0)) return undefined;
    const found = present ?? this.#add(node, header);
    if (found === undefined) return undefined;
    const info = t === "member" ? parseInfo(parseJson(body)) : undefined;
    if (t === "member") {
      if (info?.id !== librarian || found.librarians.size >= limits.librarians) return undefined;
    }
    found.changes.set(librarian, change);
    if (typeof count === "number") found.count = count;
    if (info === undefined) return found.librarians.delete(librarian);
    const digest = typeof header.digest === "number" ? header.digest : 0;
    const isNew = found.librarians.get(librarian)?.digest !== digest;
    if (isNew) found.librarians.set(librarian, { info, digest });
    const wasLost = this.answered(found);
    return isNew || wasLost;
  }

  #add(
    node: string,
    { name, host, pid, since }: Readonly<Record<string, unknown>>,
  ): Process | undefined {
    if (typeof name !== "string" || !isNode(name) || this.#byNode.size >= limits.processes)
      return undefined;
    const replica: Replica = {
      id: node,
      host: typeof host === "string" ? host.slice(0, 200) : "",
      pid: typeof pid === "number" ? pid : 0,
      since: typeof since === "number" ? since : 0,
    };
    const added: Process = {
      node,
      name,
      replica,
      librarians: new Map(),
      changes: new Map(),
      count: 1,
      unanswered: 0,
      isLost: false,
      seenAt: performance.now(),
      nodeDigest: digestBytes(Buffer.from(node)),
    };
    this.#byNode.set(node, added);
    return added;
  }

  /** A process has answered, or announced itself. @returns Whether it counted as lost. */
  answered(found: Process): boolean {
    const { isLost } = found;
    found.seenAt = performance.now();
    found.unanswered = 0;
    found.isLost = false;
    return isLost;
  }

  /**
   * A process has not answered a ping.
   *
   * @param isGone - Whether no process listens at its address.
   * @returns Whether it counts as lost from now on.
   */
  missed(found: Process, isGone: boolean): boolean {
    found.unanswered++;
    const hasLeft = found.librarians.size === 0 && found.unanswered > maxUnanswered;
    if (hasLeft || performance.now() - found.seenAt > lostTtlMs) this.#byNode.delete(found.node);
    if (found.isLost || found.unanswered < (isGone ? 2 : maxUnanswered)) return false;
    found.isLost = true;
    return true;
  }

  /** A digest of the processes that are present, and their number. */
  summarize(): { readonly digest: number; readonly count: number } {
    let [digest, count] = [0, 0];
    for (const { nodeDigest, isLost, librarians } of this.#byNode.values()) {
      if (isLost || librarians.size === 0) continue;
      digest ^= nodeDigest;
      count++;
    }
    return { digest, count };
  }

  /**
   * The librarians that are present, by id, each with the processes that serve it.
   *
   * @param own - Those that this process serves.
   */
  gather(own: Iterable<LibrarianInfo>, self: Replica): ReadonlyMap<string, PresentLibrarian> {
    const found = new Map<string, { info: LibrarianInfo; replicas: Replica[] }>();
    const add = (info: LibrarianInfo, replica: Replica) => {
      const present = found.get(info.id);
      if (present === undefined) {
        found.set(info.id, { info, replicas: [replica] });
        return;
      }
      const newest = present.replicas.every(({ since }) => since < replica.since);
      const chosen = newest ? info : present.info;
      // During a rolling update, a process whose librarian writes may get the call.
      const isWrite = info.effects === "write" || present.info.effects === "write";
      present.info =
        isWrite && chosen.effects !== "write" ? { ...chosen, effects: "write" } : chosen;
      present.replicas.push(replica);
    };
    for (const info of own) add(info, self);
    for (const { replica, librarians, isLost } of this.#byNode.values()) {
      if (!isLost) for (const { info } of librarians.values()) add(info, replica);
    }
    return found;
  }
}

/** The subject of announcements for all processes. */
export const everyone = "all";

/** Whether a text may be the id or the name of a process. */
export function isNode(value: string): boolean {
  return /^[\w-]{1,64}$/.test(value) && value !== everyone;
}

/** 31 bits of a hash. */
export function digestBytes(bytes: Uint8Array): number {
  return createHash("sha1").update(bytes).digest().readUInt32BE() >>> 1;
}

function parseInfo(value: unknown): LibrarianInfo | undefined {
  if (!isRecord(value)) return undefined;
  const checked = librarianInfoSchema.safeParse(value);
  return checked.success ? checked.data : undefined;
}
