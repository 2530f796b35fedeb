import { hostname } from "node:os";
import type { LibrarianInfo } from "@constellation/core";
import { digestBytes, everyone, isNode, KnownProcesses, type Process } from "./known-processes.js";
import type { Link, LinkMessage, LinkSubscription } from "./link.js";
import { decodeMessage, encodeJson, encodeMessage } from "./message.js";
import type { Pings } from "./pings.js";
import type { TransportSettings } from "./settings.js";
import { type Address, lastToken, type Subjects } from "./subjects.js";
import type { PresentLibrarian, Replica } from "./transport.js";

/** Number of periods without contact to the others after which this process announces itself again. */
const maxMissedLooks = 3;

/** Wait for announcements while a process opens, in milliseconds: for the first, between two, and for all. */
const opening = { firstMs: 1_000, quietMs: 250, maxMs: 10_000 };

/** Maximum number of processes that are pinged in one period because another process reported them. */
const maxSuspects = 20;

/**
 * Tracks which processes are present. Each announces its librarians when they change, and pings one of the others
 * at random in each period: so the cost grows with their number. Answers carry digests, by which a process finds
 * that it has missed an announcement, and asks all others for theirs.
 */
export class Presence {
  readonly #link: Link;
  readonly #subjects: Subjects;
  readonly #settings: TransportSettings;
  readonly #pings: Pings;
  readonly #own: Replica;
  readonly #address: Address;
  readonly #nodeDigest: number;
  readonly #served = new Map<
    string,
    {
      readonly body: Uint8Array;
      readonly digest: number;
      readonly info: LibrarianInfo;
      readonly change: number;
    }
  >();
  readonly #processes = new KnownProcesses();
  readonly #listeners = new Set<() => void>();
  readonly #subscriptions: LinkSubscription[] = [];
  /** Processes to ping in this period, because another process reported them. */
  readonly #suspects = new Set<string>();
  #whos: LinkSubscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #stopListening: () => void = () => undefined;
  #onAnnouncement: (total: number) => void = () => undefined;
  #isOpen = false;
  #isInformed = false;
  /** Number of changes of what this process serves. */
  #changes = 0;
  #isReading = false;
  #isNotifying = false;
  #known: ReadonlyMap<string, PresentLibrarian> | undefined;

  /** @param own - Address of this process. */
  constructor(
    link: Link,
    subjects: Subjects,
    settings: TransportSettings,
    pings: Pings,
    own: Address,
  ) {
    this.#link = link;
    this.#subjects = subjects;
    this.#settings = settings;
    this.#pings = pings;
    this.#address = own;
    this.#nodeDigest = digestBytes(Buffer.from(own.node));
    this.#own = { id: own.node, host: hostname(), pid: process.pid, since: Date.now() };
  }

  /** Discovers other processes, and announces this one to them. */
  async open(): Promise<void> {
    this.#isReading = true; // all announcements until it is open count as one change
    for (const to of [everyone, this.node]) {
      const subject = this.#subjects.members(to);
      this.#subscriptions.push(this.#link.subscribe(subject, (message) => this.#receive(message)));
    }
    this.#subscriptions.push(
      this.#link.subscribe(this.#subjects.suspects, ({ payload }) => {
        const reported = decodeMessage(payload)?.header.node;
        if (typeof reported === "string" && this.#suspects.size < maxSuspects)
          this.#suspects.add(reported);
      }),
    );
    try {
      await this.#link.flush();
      await this.#learn();
    } finally {
      this.#isReading = false;
    }
    this.#isOpen = true;
    this.#answerWhos();
    this.#announce(everyone);
    this.#callListeners();
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), this.#settings.presenceMs).unref();
    this.#stopListening = this.#link.onConnected(() => {
      this.#announce(everyone);
      this.#ask();
    });
  }

  /** Whether discovery has ended: a process has answered, or there is none. */
  get isInformed(): boolean {
    return this.#isInformed || this.#processes.size > 0;
  }

  get node(): string {
    return this.#own.id;
  }

  serve(info: LibrarianInfo): void {
    const body = encodeJson(info);
    this.#served.set(info.id, { info, body, digest: digestBytes(body), change: ++this.#changes });
    this.#changed();
    if (!this.#isOpen) return;
    this.#answerWhos();
    this.#announce(everyone, info.id);
  }

  unserve(id: string): void {
    if (!this.#served.delete(id)) return;
    this.#changed();
    if (this.#isOpen) this.#leave(id);
  }

  list(): readonly PresentLibrarian[] {
    return [...this.#present().values()];
  }

  /** The processes that serve a librarian. */
  replicas(librarian: string): readonly Replica[] {
    return this.#present().get(librarian)?.replicas ?? [];
  }

  /** Whether one of the processes lists a librarian with effects "write". */
  isWrite(librarian: string): boolean {
    return this.#present().get(librarian)?.info.effects === "write";
  }

  /** Address of a process that serves librarians. */
  addressOf(node: string): Address | undefined {
    return node === this.node ? this.#address : this.#processes.get(node);
  }

  /** A process was not found at its address: pings it soon, and informs others. */
  report(node: string): void {
    if (this.#processes.get(node) === undefined || this.#suspects.has(node)) return;
    this.#suspects.add(node);
    this.#tell(node);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Announces that this process leaves. */
  close(): void {
    clearInterval(this.#timer);
    this.#stopListening();
    this.#whos?.unsubscribe();
    if (this.#isOpen) for (const id of this.#served.keys()) this.#leave(id);
    this.#isOpen = false;
    for (const each of this.#subscriptions.splice(0)) each.unsubscribe();
  }

  /** Asks all processes for their announcements, and waits until all have arrived. */
  async #learn(): Promise<void> {
    await new Promise<void>((resolve) => {
      let total = 0;
      const end = () => {
        clearTimeout(quiet);
        clearTimeout(limit);
        nobody?.unsubscribe();
        resolve();
      };
      let quiet = setTimeout(() => end(), opening.firstMs);
      const limit = setTimeout(() => end(), opening.maxMs);
      this.#onAnnouncement = (known) => {
        total = Math.max(total, known);
        clearTimeout(quiet);
        if (this.#processes.areComplete(total)) return end();
        quiet = setTimeout(end, opening.quietMs);
      };
      const reply = `${this.#subjects.inboxOf(this.#settings.caller)}${this.node}.who`;
      const nobody = this.#link.subscribe(reply, ({ isUndeliverable }) => {
        if (!isUndeliverable) return;
        this.#isInformed = true;
        end();
      });
      this.#ask(reply);
    });
    this.#onAnnouncement = () => undefined;
  }

  #ask(reply?: string): void {
    this.#askedAt = performance.now();
    const subject = this.#subjects.who(this.#settings.caller);
    this.#link.publish(subject, encodeMessage({ t: "who", node: this.node }), reply);
  }

  /** Only processes that serve librarians answer. */
  #answerWhos(): void {
    if (this.#served.size === 0) return;
    this.#whos ??= this.#link.subscribe(this.#subjects.whos, ({ payload }) => {
      const to = decodeMessage(payload)?.header.node;
      if (typeof to === "string" && isNode(to) && to !== this.node) this.#announce(to);
    });
  }

  #announce(to: string, only?: string): void {
    if (!this.#link.isConnected) return; // it will be announced when the link is connected again
    const { id, host, pid, since } = this.#own;
    const total = this.#processes.summarize().count + 1;
    const count = this.#served.size;
    const header = {
      t: "member",
      node: id,
      name: this.#settings.caller,
      host,
      pid,
      since,
      count,
      total,
    };
    for (const [librarian, { body, digest, change }] of this.#served) {
      if (only !== undefined && librarian !== only) continue;
      this.#link.publish(
        this.#subjects.member(to, librarian),
        encodeMessage({ ...header, digest, change }, body),
      );
    }
  }

  #leave(librarian: string): void {
    if (!this.#link.isConnected) return;
    const { id, host, pid, since } = this.#own;
    const header = {
      t: "left",
      node: id,
      name: this.#settings.caller,
      host,
      pid,
      since,
      count: this.#served.size,
      change: ++this.#changes,
    };
    this.#link.publish(this.#subjects.member(everyone, librarian), encodeMessage(header));
  }

  #tell(node: string): void {
    if (!this.#link.isConnected) return;
    const subject = this.#subjects.suspect(this.#settings.caller);
    this.#link.publish(subject, encodeMessage({ t: "suspect", node }));
  }

  #receive({ subject, payload }: LinkMessage): void {
    this.#isInformed = true;
    const { header, body } = decodeMessage(payload) ?? {};
    const node = header?.node;
    if (header === undefined || body === undefined) return;
    if (typeof node !== "string" || !isNode(node) || node === this.node) return;
    const librarian = lastToken(subject);
    const isNews = this.#processes.receive({ node, librarian, header, body });
    if (isNews === true) this.#changed();
    if (isNews === undefined || header.t !== "member") return;
    this.#onAnnouncement(typeof header.total === "number" ? header.total : 0);
  }

  /** Once in each period. */
  #look(): void {
    const now = performance.now();
    const sinceLookMs = now - this.#lookedAt;
    this.#lookedAt = now;
    const { presenceMs } = this.#settings;
    if (!this.#link.isConnected) return;
    // This process was suspended: others may have counted it as lost.
    if (sinceLookMs > maxMissedLooks * presenceMs) this.#announce(everyone);
    const chosen = new Set(this.#suspects);
    this.#suspects.clear();
    for (const { node } of this.#processes.doubtful().slice(0, maxSuspects)) chosen.add(node);
    const random = pickRandom(this.#processes.nodes());
    if (random !== undefined) chosen.add(random);
    for (const node of chosen) {
      const found = this.#processes.get(node);
      if (found !== undefined) void this.#check(found);
    }
  }

  async #check(found: Process): Promise<void> {
    const { presenceMs } = this.#settings;
    const outcome = await this.#pings.ping(found, presenceMs);
    if (!this.#isOpen || this.#processes.get(found.node) !== found) return;
    if (outcome.kind === "alive") {
      if (this.#processes.answered(found)) this.#changed();
      this.#compare(found, outcome.digest);
      return;
    }
    // Without a connection to the server, nothing is known of the others.
    if (!(await this.#isReachable())) return;
    const isLostNow = this.#processes.missed(found, outcome.kind === "gone");
    if (found.unanswered === 1 && !found.isLost) this.#tell(found.node);
    if (isLostNow) this.#changed();
  }

  async #isReachable(): Promise<boolean> {
    if (!this.#link.isConnected) return false;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#settings.presenceMs).unref();
    });
    const reached = this.#link.flush().then(
      () => true,
      () => false,
    );
    const isReachable = await Promise.race([reached, limit]);
    clearTimeout(timer);
    return isReachable && this.#link.isConnected;
  }

  /** Compares what another process serves, and whom it knows, with what is known here. */
  #compare(found: Process, digest: string): void {
    const [serves, knows, count] = digest.split(".").map(Number);
    const own = this.#digests();
    let known = 0;
    for (const each of found.librarians.values()) known ^= each.digest;
    const hasMissed = serves !== known || ((count ?? 0) > own.count && knows !== own.knows);
    const { presenceMs } = this.#settings;
    // After a random delay, because others may have missed the same message.
    const isDue = performance.now() - this.#askedAt > presenceMs * (2 + 3 * Math.random());
    if (hasMissed && isDue) this.#ask();
  }

  /** A digest of what it serves and of the processes that it knows, itself included. */
  #digests() {
    let serves = 0;
    for (const { digest } of this.#served.values()) serves ^= digest;
    const { digest, count } = this.#processes.summarize();
    if (this.#served.size === 0) return { serves, knows: digest, count };
    return { serves, knows: digest ^ this.#nodeDigest, count: count + 1 };
  }

  /** Reported once for all changes in one turn of the event loop. */
  #changed(): void {
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
    const { serves, knows, count } = this.#digests();
    this.#pings.setDigest(`${serves}.${knows}.${count}`);
    for (const listener of this.#listeners) listener();
  }

  #present(): ReadonlyMap<string, PresentLibrarian> {
    this.#known ??= this.#processes.gather(
      Array.from(this.#served.values(), ({ info }) => info),
      this.#own,
    );
    return this.#known;
  }
}

function pickRandom<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
