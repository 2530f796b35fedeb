import { createHash, randomUUID } from "node:crypto";
import { withDeadline } from "@constellation/core";
import type { CallPort } from "./call-port.js";
import { CallTable } from "./call-table.js";
import { type Claim, claimKey, encodeClaim } from "./claim.js";
import type { Link, LinkMessage, LinkSubscription } from "./link.js";
import { decodeMessage, encodeJsonMessage, encodeMessage, parseJson } from "./message.js";
import type { Pings } from "./pings.js";
import type { Presence } from "./presence.js";
import { SentCall } from "./sent-call.js";
import type { TransportSettings } from "./settings.js";
import { type Address, lastToken, type Subjects } from "./subjects.js";
import type { Replica, TransportCall } from "./transport.js";
import { Workers } from "./workers.js";

/** Maximum wait for a lost connection before a call is refused, in milliseconds. */
const maxReconnectMs = 1_000;

/**
 * Maximum wait for the answer to a probe, in milliseconds. Longer than any caller waits: an answer that is late for one
 * probe is used for the next one.
 */
const maxProbeMs = 2_000;

/** Maximum number of calls in one question about them. */
const maxChecked = 200;

/** Maximum number of processes that are compared by their calls in flight. */
const maxCompared = 16;

/** The answer to a question that is not a call. */
interface Answer {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** The calls that this process makes. */
export class SentCalls implements CallPort<SentCall> {
  readonly #link: Link;
  readonly #settings: TransportSettings;
  readonly #subjects: Subjects;
  readonly #own: Address;
  readonly #presence: Presence;
  readonly #pings: Pings;
  readonly #inboxSubject: string;
  readonly #waiting = new CallTable<SentCall>();
  /** By id, what gets the answer to a question that is not a call; `undefined`: there is none. */
  readonly #asking = new Map<string, (answer: Answer | undefined) => void>();
  /** Addresses of processes that were found and are not known otherwise. */
  readonly #found = new Map<string, Address>();
  readonly #workers: Workers;
  #inbox: LinkSubscription | undefined;
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
    this.#workers = new Workers(settings, pings, {
      addressOf: (node) => this.#addressOf(node),
      report: (node) => presence.report(node),
      checkCalls: (worker, librarian, ids) => this.#checkCalls(worker, librarian, ids),
    });
  }

  /** Listens to replies. Call it once the link is open. */
  open(): void {
    this.#inbox ??= this.#link.subscribe(`${this.#inboxSubject}.*`, (message) => {
      this.#receive(message);
    });
  }

  close(): void {
    this.#workers.close();
    this.#inbox?.unsubscribe();
  }

  call(call: TransportCall): Promise<unknown> {
    const id = call.envelope.requestId ?? randomUUID();
    const same = this.#waiting.get(id);
    // Two calls with one idempotency key at once: the second waits for the outcome of the first.
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
      const load = this.#workers.load(replica.id);
      if (load >= fewest) continue;
      fewest = load;
      chosen = replica.id;
    }
    return chosen;
  }

  async find(librarian: string): Promise<string | undefined> {
    const subject = this.#subjects.find(librarian, this.#settings.caller);
    const limit = { ms: this.#settings.lostAfterMs, keepsAlive: true };
    const answer = await this.#ask(subject, encodeMessage({ t: "find" }), limit);
    const { node, name, clock } = answer?.header ?? {};
    if (typeof node !== "string" || typeof name !== "string" || typeof clock !== "number")
      return undefined;
    this.#found.set(node, { node, name });
    this.#pings.learnClock(node, clock);
    return node;
  }

  /** Asks a process for estimates. @returns `undefined` without an answer in time. */
  async probe(node: string, content: unknown): Promise<unknown> {
    const address = this.#addressOf(node);
    if (address === undefined || !this.#link.isConnected) return undefined;
    const subject = this.#subjects.probe(address, this.#settings.caller);
    const limit = { ms: maxProbeMs, keepsAlive: false };
    const answer = await this.#ask(subject, encodeJsonMessage({ t: "probe" }, content), limit);
    return answer && parseJson(answer.body);
  }

  /** Asks a question that is not a call. @returns The answer; `undefined` where there is none in time. */
  #ask(
    subject: string,
    payload: Uint8Array,
    { ms, keepsAlive }: { readonly ms: number; readonly keepsAlive: boolean },
  ): Promise<Answer | undefined> {
    const id = randomUUID();
    return new Promise((resolve) => {
      const end = (answer?: Answer) => {
        clearTimeout(limit);
        this.#asking.delete(id);
        resolve(answer);
      };
      const limit = setTimeout(() => end(), ms);
      if (!keepsAlive) limit.unref();
      this.#asking.set(id, end);
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

  /** Pings until an answer arrives, no process listens at the address, or the process counts as lost. */
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
    sent.workerCalls = this.#workers.callsOf(node);
    sent.workerCalls?.set(id, sent);
    sent.checkAfterMs = Math.max(2 * this.#settings.heartbeatMs, this.#settings.lostAfterMs / 2);
    const subject = this.#subjects.call(call.librarian, node, this.#settings.caller);
    this.#link.publish(subject, payload, `${this.#inboxSubject}.${id}`);
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

  #addressOf(node: string): Address | undefined {
    return this.#presence.addressOf(node) ?? this.#found.get(node);
  }

  /** Asks a process for calls that it has not reported on for some time: a message may have been lost. */
  #checkCalls({ node }: Address, librarian: string, ids: readonly string[]): void {
    const subject = this.#subjects.call(librarian, node, this.#settings.caller);
    for (let at = 0; at < ids.length; at += maxChecked) {
      const header = { t: "check", from: this.#own.node, inbox: this.#inboxSubject };
      this.#link.publish(subject, encodeJsonMessage(header, ids.slice(at, at + maxChecked)));
    }
  }

  #receive({ subject, payload, isUndeliverable }: LinkMessage): void {
    const id = lastToken(subject);
    const sent = this.#waiting.get(id);
    if (isUndeliverable) {
      sent?.onUndeliverable();
      this.#asking.get(id)?.(undefined);
      return;
    }
    const { header, body } = decodeMessage(payload) ?? {};
    if (header === undefined || body === undefined) return;
    if (header.t === "found" || header.t === "estimates") this.#asking.get(id)?.({ header, body });
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
