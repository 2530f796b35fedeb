import { createHash, randomUUID } from "node:crypto";
import { withDeadline } from "@constellation/core";
import { CallTable } from "./call-table.js";
import { type Claim, claimKey, encodeClaim } from "./claim.js";
import type { Link, LinkMessage, LinkSubscription } from "./link.js";
import { decodeMessage, encodeJsonMessage, encodeMessage, parseJson } from "./message.js";
import type { Pings } from "./pings.js";
import type { Presence } from "./presence.js";
import { type CallPort, SentCall } from "./sent-call.js";
import type { TransportSettings } from "./settings.js";
import { type Address, lastToken, type Subjects } from "./subjects.js";
import type { Replica, TransportCall } from "./transport.js";

/** Longest wait for a lost connection before a call is refused, in milliseconds. */
const maxReconnectMs = 1_000;

/** Longest wait for the answer to a probe, in milliseconds. */
const maxProbeMs = 2_000;

/** Maximum number of processes that are compared by their calls in flight. */
const maxCompared = 16;

/** Maximum number of calls in one question how they are, and longest time between two, in milliseconds. */
const checks = { perMessage: 200, maxMs: 10_000 };

/** A process with calls of this one. */
interface Worker {
  readonly address: Address;
  readonly calls: CallTable<SentCall>;
  /** When something came from it, in milliseconds of `performance.now()`. */
  heardAt: number;
  /** Pings, one after the other, to which the message system said that no process is there. */
  gone: number;
  isSilent: boolean;
}

/** The calls that this process makes. */
export class SentCalls implements CallPort {
  readonly #link: Link;
  readonly #settings: TransportSettings;
  readonly #subjects: Subjects;
  readonly #own: Address;
  readonly #presence: Presence;
  readonly #pings: Pings;
  readonly #inboxSubject: string;
  readonly #waiting = new CallTable<SentCall>();
  readonly #finding = new Map<
    string,
    (header: Readonly<Record<string, unknown>> | undefined) => void
  >();
  readonly #probing = new Map<string, (reply: unknown) => void>();
  /** Addresses of processes that were found and are not known otherwise. */
  readonly #found = new Map<string, Address>();
  readonly #workers = new Map<string, Worker>();
  #inbox: LinkSubscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #reconnecting: Promise<boolean> | undefined;
  #isAway = false;

  constructor(
    link: Link,
    settings: TransportSettings,
    subjects: Subjects,
    own: Address,
    presence: Presence,
    pings: Pings,
  ) {
    this.#link = link;
    this.#settings = settings;
    this.#subjects = subjects;
    this.#own = own;
    this.#presence = presence;
    this.#pings = pings;
    this.#inboxSubject = subjects.inboxOf(settings.caller) + own.node;
  }

  /** Listens to replies. Call it once the link is open. */
  open(): void {
    this.#inbox ??= this.#link.subscribe(`${this.#inboxSubject}.*`, (message) => {
      this.#receive(message);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#inbox?.unsubscribe();
  }

  call(call: TransportCall): Promise<unknown> {
    const id = call.envelope.requestId ?? randomUUID();
    const same = this.#waiting.get(id);
    // One idempotency key, twice at once: the second waits for the outcome of the first.
    if (same?.reply !== undefined && !same.call.signal.aborted) {
      const { reply } = same;
      return withDeadline({ signal: call.signal }, () => reply);
    }
    let sent: SentCall | undefined;
    const reply = new Promise<unknown>((resolve, reject) => {
      sent = new SentCall(this, call, id, resolve, reject);
    });
    if (sent === undefined) return reply;
    sent.reply = reply;
    this.#waiting.set(id, sent);
    sent.start();
    return reply;
  }

  get maxAttempts(): number {
    return this.#settings.maxAttempts;
  }

  get maxPayload(): number {
    return this.#link.maxPayload;
  }

  get isConnected(): boolean {
    return this.#link.isConnected;
  }

  get canClaim(): boolean {
    return this.#link.claims.isShared;
  }

  /** The one with the fewest calls of this process in flight; among equals one at random. */
  choose(
    librarian: string,
    excluded: ReadonlySet<string>,
    same?: string | undefined,
  ): string | undefined {
    const replicas = this.#presence.replicas(librarian);
    if (same !== undefined) return chooseSame(replicas, excluded, same);
    const count = replicas.length;
    const first = count === 1 ? 0 : Math.floor(Math.random() * count);
    let chosen: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (let at = 0, compared = 0; at < count && compared < maxCompared; at++) {
      const replica = replicas[(first + at) % count];
      if (replica === undefined || excluded.has(replica.id)) continue;
      compared++;
      const worker = this.#workers.get(replica.id);
      // One that does not answer at present is the last choice.
      const load = (worker?.calls.size ?? 0) + (worker?.isSilent === true ? 1e6 : 0);
      if (load >= fewest) continue;
      fewest = load;
      chosen = replica.id;
    }
    return chosen;
  }

  find(librarian: string): Promise<string | undefined> {
    const id = randomUUID();
    return new Promise((resolve) => {
      const end = (header: Readonly<Record<string, unknown>> | undefined) => {
        clearTimeout(limit);
        this.#finding.delete(id);
        const { node, name, clock } = header ?? {};
        if (typeof node !== "string" || typeof name !== "string" || typeof clock !== "number")
          return resolve(undefined);
        this.#found.set(node, { node, name });
        this.#pings.learnClock(node, clock);
        resolve(node);
      };
      const limit = setTimeout(() => end(undefined), this.#settings.lostAfterMs);
      this.#finding.set(id, end);
      const subject = this.#subjects.find(librarian, this.#settings.caller);
      this.#link.publish(subject, encodeMessage({ t: "find" }), `${this.#inboxSubject}.${id}`);
    });
  }

  /** Asks a process for estimates. @returns `undefined` without an answer in time. */
  probe(node: string, content: unknown): Promise<unknown> {
    const address = this.#addressOf(node);
    if (address === undefined || !this.#link.isConnected) return Promise.resolve(undefined);
    const id = randomUUID();
    return new Promise((resolve) => {
      const end = (reply: unknown) => {
        clearTimeout(limit);
        this.#probing.delete(id);
        resolve(reply);
      };
      // Later than any probe waits: what comes late is of use for the next one.
      const limit = setTimeout(() => end(undefined), maxProbeMs).unref();
      this.#probing.set(id, end);
      const subject = this.#subjects.probe(address, this.#settings.caller);
      const payload = encodeJsonMessage({ t: "probe" }, content);
      this.#link.publish(subject, payload, `${this.#inboxSubject}.${id}`);
    });
  }

  connected(): Promise<boolean> {
    if (this.#link.isConnected) return Promise.resolve(true);
    if (this.#isAway) return Promise.resolve(false); // was waited for already
    this.#reconnecting ??= new Promise((resolve) => {
      const end = (isBack: boolean) => {
        clearTimeout(limit);
        this.#reconnecting = undefined;
        this.#isAway = !isBack;
        if (isBack) stop();
        resolve(isBack);
      };
      const limit = setTimeout(
        () => end(false),
        Math.min(maxReconnectMs, this.#settings.lostAfterMs),
      );
      const stop = this.#link.onConnected(() => {
        this.#isAway = false;
        stop();
        end(true);
      });
    });
    return this.#reconnecting;
  }

  clock(node: string): number | undefined | Promise<number | undefined> {
    const known = this.#pings.clockOf(node);
    const address = this.#addressOf(node);
    if (known !== undefined || address === undefined) return known;
    return this.#askClock(address);
  }

  /** Pings until there is an answer, or no one to give it, or the process counts as lost. */
  async #askClock(address: Address): Promise<number | undefined> {
    const { lostAfterMs } = this.#settings;
    const endsAt = performance.now() + lostAfterMs;
    do {
      const { kind } = await this.#pings.ping(address, lostAfterMs / 3);
      if (kind === "gone") return undefined;
    } while (this.#pings.clockOf(address.node) === undefined && performance.now() < endsAt);
    return this.#pings.clockOf(address.node);
  }

  forgetClock(node: string): void {
    this.#pings.forgetClock(node);
  }

  isWrite(librarian: string): boolean {
    return this.#presence.isWrite(librarian);
  }

  report(node: string): void {
    this.#found.delete(node);
    this.#presence.report(node);
  }

  encode(
    { id, call }: SentCall,
    attempt: number,
    expires: number | undefined,
    elapsedMs: number,
  ): Uint8Array {
    const { query, trace, effects } = call;
    const envelope = withoutElapsed(call.envelope, elapsedMs);
    const header = { t: "call", v: 1, id, from: this.#own.node, attempt, effects, expires };
    return encodeJsonMessage(header, { query, envelope, trace });
  }

  send(sent: SentCall, payload: Uint8Array): void {
    const { node, id, call } = sent;
    if (node === undefined) return;
    sent.workerCalls?.delete(id, sent);
    sent.workerCalls = this.#workerOf(node)?.calls;
    sent.workerCalls?.set(id, sent);
    sent.checkAfterMs = Math.max(2 * this.#settings.heartbeatMs, this.#settings.lostAfterMs / 2);
    const subject = this.#subjects.call(call.librarian, node, this.#settings.caller);
    this.#link.publish(subject, payload, `${this.#inboxSubject}.${id}`);
    this.#watch();
  }

  sendTo({ id, call }: SentCall, node: string, header: object, body?: unknown): void {
    if (!this.#link.isConnected) return;
    const subject = this.#subjects.call(call.librarian, node, this.#settings.caller);
    const message = { ...header, id, from: this.#own.node };
    const payload = body === undefined ? encodeMessage(message) : encodeJsonMessage(message, body);
    this.#link.publish(subject, payload);
  }

  claim({ id, call }: SentCall, claim: Claim): Promise<Uint8Array | undefined> {
    const key = claimKey(call.librarian, this.#settings.caller, id);
    return this.#link.claims.create(key, encodeClaim(claim));
  }

  ended(sent: SentCall): void {
    this.#waiting.delete(sent.id, sent);
    sent.workerCalls?.delete(sent.id, sent);
  }

  #workerOf(node: string): Worker | undefined {
    const known = this.#workers.get(node);
    if (known !== undefined) return known;
    const address = this.#addressOf(node);
    if (address === undefined) return undefined;
    const worker = {
      address,
      calls: new CallTable<SentCall>(),
      heardAt: performance.now(),
      gone: 0,
      isSilent: false,
    };
    this.#workers.set(node, worker);
    return worker;
  }

  #addressOf(node: string): Address | undefined {
    return this.#presence.addressOf(node) ?? this.#found.get(node);
  }

  #watch(): void {
    if (this.#timer !== undefined) return;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), this.#settings.heartbeatMs).unref();
  }

  /** Once in each period, while there are calls: are those that work on them still there? */
  #look(): void {
    const now = performance.now();
    const { heartbeatMs } = this.#settings;
    const stoodStill = now - this.#lookedAt > 2 * heartbeatMs;
    this.#lookedAt = now;
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const [node, worker] of this.#workers) {
      // What came while this process stood still has yet to be read.
      if (stoodStill || worker.calls.size === 0) worker.heardAt = now;
      if (worker.calls.size === 0) {
        this.#workers.delete(node);
        continue;
      }
      for (const { heardAt } of worker.calls.values())
        worker.heardAt = Math.max(worker.heardAt, heardAt);
      if (now - worker.heardAt >= heartbeatMs) void this.#ping(worker);
      else {
        worker.isSilent = false;
        worker.gone = 0;
      }
      if (!worker.isSilent) this.#checkCalls(worker, now);
    }
  }

  async #ping(worker: Worker): Promise<void> {
    const { heartbeatMs, lostAfterMs } = this.#settings;
    const { kind } = await this.#pings.ping(worker.address, Math.max(heartbeatMs, lostAfterMs / 3));
    const now = performance.now();
    if (kind === "alive") {
      worker.heardAt = now;
      worker.gone = 0;
      worker.isSilent = false;
      return;
    }
    worker.isSilent = true;
    worker.gone = kind === "gone" ? worker.gone + 1 : 0;
    if (worker.gone > 0) this.#presence.report(worker.address.node);
    const isLost = now - worker.heardAt >= lostAfterMs;
    const isGone = worker.gone >= 2;
    if (!isLost && !isGone) return;
    for (const call of [...worker.calls.values()]) {
      if (!isLost && call.waitsForReturn) continue;
      worker.calls.delete(call.id, call);
      call.onLost();
    }
  }

  /** Asks a process for calls that it has not spoken of for some time: a message may have been lost. */
  #checkCalls(worker: Worker, now: number): void {
    const due = new Map<string, string[]>();
    for (const sent of worker.calls.values()) {
      if (now - sent.heardAt < sent.checkAfterMs) continue;
      sent.checkAfterMs = Math.min(now - sent.heardAt + 2 * sent.checkAfterMs, checks.maxMs);
      const ids = due.get(sent.call.librarian) ?? [];
      ids.push(sent.id);
      due.set(sent.call.librarian, ids);
    }
    for (const [librarian, ids] of due) {
      const subject = this.#subjects.call(librarian, worker.address.node, this.#settings.caller);
      for (let at = 0; at < ids.length; at += checks.perMessage) {
        const header = { t: "check", from: this.#own.node, inbox: this.#inboxSubject };
        const some = ids.slice(at, at + checks.perMessage);
        this.#link.publish(subject, encodeJsonMessage(header, some));
      }
    }
  }

  #receive({ subject, payload, isUndeliverable }: LinkMessage): void {
    const id = lastToken(subject);
    const sent = this.#waiting.get(id);
    if (isUndeliverable) {
      sent?.onUndeliverable();
      this.#finding.get(id)?.(undefined);
      this.#probing.get(id)?.(undefined);
      return;
    }
    const { header, body } = decodeMessage(payload) ?? {};
    if (header === undefined || body === undefined) return;
    if (header.t === "found") this.#finding.get(id)?.(header);
    else if (header.t === "estimates") this.#probing.get(id)?.(parseJson(body));
    else sent?.onFrame(header, body);
  }
}

/** Chooses by rendezvous hashing. Source: D. Thaler, C. Ravishankar, IEEE/ACM Transactions on Networking 6(1), 1998. */
function chooseSame(
  replicas: readonly Replica[],
  excluded: ReadonlySet<string>,
  text: string,
): string | undefined {
  const weigh = ({ id }: Replica) => createHash("sha1").update(`${id} ${text}`).digest("hex");
  const [first] = replicas
    .filter(({ id }) => !excluded.has(id))
    .map((replica) => ({ id: replica.id, weight: weigh(replica) }))
    .sort((one, other) => (one.weight < other.weight ? -1 : 1));
  return first?.id;
}

function withoutElapsed(envelope: TransportCall["envelope"], elapsedMs: number) {
  const { remainingMs } = envelope;
  if (remainingMs === undefined) return envelope;
  return { ...envelope, remainingMs: Math.max(1, Math.floor(remainingMs - elapsedMs)) };
}
