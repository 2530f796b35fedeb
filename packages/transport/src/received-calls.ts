import type { Progress } from "@constellation/core";
import { cancelledError, isTraceContext, MeshError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { claimFailed, expired } from "./call-errors.js";
import { CallRequests } from "./call-requests.js";
import { CallTable } from "./call-table.js";
import { CallerWatch } from "./caller-watch.js";
import { Cancellation } from "./cancellation.js";
import { splitReply } from "./chunks.js";
import {
  type Claim,
  claimByCaller,
  claimKey,
  decodeClaim,
  encodeClaim,
  maxClaimedReply,
} from "./claim.js";
import { type ReplyEnvelope, refuseCall } from "./envelope/reply-envelope.js";
import type { Link, LinkMessage } from "./link.js";
import { decodeMessage, encodeJson, encodeMessage, maxHeaderBytes, parseJson } from "./message.js";
import { monotonicNow } from "./monotonic-clock.js";
import type { Pings } from "./pings.js";
import { createFingerprint, ReplyMemory } from "./reply-memory.js";
import type { TransportSettings } from "./settings.js";
import { lastToken, type Subjects } from "./subjects.js";
import type { CallHandler } from "./transport.js";

/** A served librarian. */
export interface Served {
  readonly id: string;
  readonly isWrite: boolean;
  readonly handler: CallHandler;
}

/** A received call. */
interface Incoming {
  readonly id: string;
  /** Random id of the calling process. */
  readonly from: string;
  /** Name of the calling process. */
  readonly caller: string;
  /** Key under which it is remembered. */
  readonly key: string;
  readonly inbox: string;
  /** Whether the caller treats the call as a write, which is never repeated. */
  readonly isDeclaredWrite: boolean;
  /** On the clock of this process, in milliseconds. */
  readonly expires: number;
  readonly content: unknown;
}

/** A call in progress, from its arrival on. */
interface ActiveCall {
  readonly call: Incoming;
  readonly cancellation: Cancellation;
  readonly ended: Promise<void>;
  readonly startedAt: number;
  /** Number of the latest attempt of the caller that arrived. */
  attempt: number;
  hasWritten: boolean;
  isOver: boolean;
  requests: CallRequests | undefined;
}

type Header = Readonly<Record<string, unknown>>;

/** Maximum number of lines of progress that one call sends. */
const maxProgress = 1_000;

/** Maximum number of calls that one question about them may name. */
const maxChecked = 1_000;

/** How long a cancel that arrived before its call is remembered, in milliseconds, and how many of them. */
const early = { ttlMs: 60_000, max: 10_000 };

/** Time after which a call without a reply is acknowledged, in milliseconds: an earlier reply acknowledges it as well. */
const ackAfterMs = 20;

/** The calls that this process receives. */
export class ReceivedCalls {
  readonly #link: Link;
  readonly #settings: TransportSettings;
  readonly #subjects: Subjects;
  readonly #node: string;
  readonly #active = new CallTable<ActiveCall>();
  readonly #memory = new ReplyMemory();
  /** Keys of cancelled calls, with the time of the cancel. */
  readonly #cancelled = new Map<string, number>();
  #unacknowledged: ActiveCall[] = [];
  #isAcknowledging = false;
  readonly #callers: CallerWatch;
  #warnedAt = Number.NEGATIVE_INFINITY;

  /** @param node - Random id of this process. */
  constructor(
    link: Link,
    settings: TransportSettings,
    subjects: Subjects,
    node: string,
    pings: Pings,
  ) {
    this.#link = link;
    this.#settings = settings;
    this.#subjects = subjects;
    this.#node = node;
    this.#callers = new CallerWatch(link, settings, pings, this.#active);
  }

  /** A message to a librarian of this process. */
  receive(message: LinkMessage, served: Served): void {
    const { header, body } = decodeMessage(message.payload) ?? {};
    if (header === undefined || body === undefined) return;
    const caller = lastToken(message.subject);
    if (header.t === "call") this.#receiveCall(header, body, caller, message.reply, served);
    else if (header.t === "check") this.#check(header, body, caller);
    else if (!isName(header.id)) return;
    else if (header.t === "cancel") this.#cancel(`${caller} ${header.id}`);
    else if (header.t === "answer") {
      const answer = { isRefused: header.refused === true, body: parseJson(body) };
      this.#active.get(`${caller} ${header.id}`)?.requests?.answer(header.n, answer);
    }
  }

  /** Resolves when the calls in progress have ended. */
  async settled(): Promise<void> {
    while (this.#active.size > 0) {
      await Promise.all([...this.#active.values()].map(({ ended }) => ended));
    }
  }

  /** Stops the calls in progress. Their callers try another process, if nothing was changed. */
  stop(): void {
    for (const { cancellation } of this.#active.values()) cancellation.cancel();
  }

  close(): void {
    this.#callers.close();
  }

  #receiveCall(
    header: Header,
    body: Uint8Array,
    caller: string,
    inbox: string | undefined,
    served: Served,
  ): void {
    const { id, from, effects, expires = Number.POSITIVE_INFINITY } = header;
    if (inbox === undefined || !isName(id) || !isName(from) || typeof expires !== "number") return;
    // Otherwise a caller could redirect replies to the subject of another process.
    if (!inbox.startsWith(this.#subjects.inboxOf(caller))) return;
    const key = `${caller} ${id}`;
    const attempt = attemptOf(header);
    const active = this.#active.get(key);
    const known = this.#memory.get(key);
    const content = parseJson(body);
    const fingerprint = createFingerprint(content);
    if (attempt === 1 && fingerprint !== (known?.fingerprint ?? fingerprint)) {
      this.#refuse(inbox, id, attempt, otherCall());
      return;
    }
    if (known?.state === "done") {
      if (known.reply !== undefined)
        this.#send(inbox, { id, a: attempt, repeat: true }, known.reply);
      return;
    }
    if (active !== undefined) {
      active.attempt = Math.max(active.attempt, attempt);
      this.#acknowledge(active);
      return;
    }
    if (monotonicNow() >= expires) {
      this.#frame(inbox, { t: "refused", id, a: attempt, reason: "expired" });
      return;
    }
    if (this.#cancelled.has(key)) {
      this.#refuse(inbox, id, attempt, cancelledError());
      return;
    }
    this.#memory.begin(key, attempt === 1 ? fingerprint : undefined);
    const isDeclaredWrite = effects === "write";
    const call = { id, from, caller, key, inbox, isDeclaredWrite, expires, content };
    void this.#run(call, attempt, served);
  }

  async #run(call: Incoming, attempt: number, served: Served): Promise<void> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const active: ActiveCall = {
      call,
      cancellation: new Cancellation(),
      ended,
      startedAt: performance.now(),
      attempt,
      hasWritten: false,
      isOver: false,
      requests: undefined,
    };
    this.#active.set(call.key, active);
    this.#unacknowledged.push(active);
    this.#acknowledgeSoon();
    this.#callers.watch();
    try {
      const reply = served.isWrite
        ? await this.#runClaimed(active, served)
        : await this.#handle(active, served);
      if (reply === undefined) this.#memory.forget(call.key);
      else this.#reply(active, reply);
    } finally {
      active.isOver = true;
      this.#active.delete(call.key, active);
      end();
    }
  }

  #reply({ call, attempt, hasWritten }: ActiveCall, reply: Uint8Array): void {
    this.#memory.end(call.key, reply);
    const header = { id: call.id, a: attempt, ...(hasWritten && { written: true }) };
    this.#send(call.inbox, header, reply);
  }

  /** Runs a call if this process is the first to claim it. */
  async #runClaimed(active: ActiveCall, served: Served): Promise<Uint8Array | undefined> {
    const { call } = active;
    const key = claimKey(served.id, call.caller, call.id);
    const claims = this.#link.claims;
    let found: Uint8Array | undefined;
    try {
      found = await claims.create(key, encodeClaim({ state: "running", node: this.#node }));
    } catch (thrown) {
      const error = claimFailed(served.id, thrown);
      this.#warn(error);
      this.#memory.forget(call.key);
      this.#refuse(call.inbox, call.id, active.attempt, error);
      return undefined;
    }
    const claim = found === undefined ? undefined : decodeClaim(found);
    if (found !== undefined && !(claim?.state === "running" && claim.node === this.#node)) {
      if (claim?.state === "done" && claim.reply !== undefined) {
        return encodeJson(isRecord(claim.reply) ? { ...claim.reply, repeat: true } : claim.reply);
      }
      this.#frame(call.inbox, { t: "refused", id: call.id, a: active.attempt, reason: "claimed" });
      return undefined;
    }
    if (active.cancellation.isCancelled || monotonicNow() >= call.expires) {
      await claims.update(key, encodeClaim(claimByCaller)).catch(() => undefined);
      const error = active.cancellation.isCancelled ? cancelledError() : expired(served.id);
      return encodeJson(refuseCall(error.toInfo(), call.id));
    }
    const reply = await this.#handle(active, served);
    // Later callers read it there.
    const done: Claim = {
      state: "done",
      node: this.#node,
      ...(reply.length <= maxClaimedReply && { reply: parseJson(reply) }),
    };
    this.#reply(active, reply);
    await claims.update(key, encodeClaim(done)).catch(() => undefined);
    return undefined;
  }

  async #handle(active: ActiveCall, served: Served): Promise<Uint8Array> {
    const { call, cancellation } = active;
    const { id, caller, inbox } = call;
    const { query, envelope, trace } = isRecord(call.content) ? call.content : {};
    const leftMs = call.expires - monotonicNow();
    if (leftMs <= 0) return encodeJson(refuseCall(expired(served.id).toInfo(), id)); // while the claim was made
    if (cancellation.isCancelled) return encodeJson(refuseCall(cancelledError().toInfo(), id));
    const requests = new CallRequests({
      cancellation,
      resendMs: this.#settings.heartbeatMs,
      timeoutMs: this.#settings.lostAfterMs,
      send: (n, kind, content) =>
        this.#frame(
          inbox,
          { t: "request", id, a: active.attempt, n, kind },
          encodeJson(content ?? null),
        ),
    });
    active.requests = requests;
    let lines = 0;
    const reply: ReplyEnvelope = await served.handler({
      caller,
      query: typeof query === "string" ? query : "",
      envelope: withinTime(envelope, leftMs),
      trace: isTraceContext(trace) ? trace : undefined,
      cancellation,
      report: (progress: Progress) => {
        if (++lines <= maxProgress)
          this.#frame(
            inbox,
            { t: "progress", id, a: active.attempt, n: lines },
            encodeJson(progress),
          );
      },
      request: (kind, content) => requests.request(kind, content),
      ...(!call.isDeclaredWrite && {
        beforeWrite: async () => {
          await requests.request("write", undefined);
          active.hasWritten = true;
        },
      }),
    });
    return encodeJson(reply);
  }

  /** Answers a caller that asks which of its calls are still under way here. */
  #check({ inbox }: Header, body: Uint8Array, caller: string): void {
    const ids = parseJson(body);
    if (typeof inbox !== "string" || !Array.isArray(ids)) return;
    if (!inbox.startsWith(this.#subjects.inboxOf(caller))) return;
    for (const id of ids.slice(0, maxChecked) as readonly unknown[]) {
      if (!isName(id)) continue;
      const key = `${caller} ${id}`;
      const active = this.#active.get(key);
      const known = this.#memory.get(key);
      if (active !== undefined) this.#acknowledge(active);
      else if (known?.state === "done" && known.reply !== undefined)
        this.#send(`${inbox}.${id}`, { id, a: 0 }, known.reply);
      else this.#frame(`${inbox}.${id}`, { t: "unknown", id, node: this.#node });
    }
  }

  #acknowledge({ call, attempt, hasWritten }: ActiveCall): void {
    const header = { t: "ack", id: call.id, a: attempt, ...(hasWritten && { written: true }) };
    this.#frame(call.inbox, header);
  }

  /** Acknowledges all calls without a reply, shortly after the first of them arrived. */
  #acknowledgeSoon(): void {
    if (this.#isAcknowledging) return;
    this.#isAcknowledging = true;
    setTimeout(() => {
      this.#isAcknowledging = false;
      const unacknowledged = this.#unacknowledged;
      this.#unacknowledged = [];
      for (const active of unacknowledged) if (!active.isOver) this.#acknowledge(active);
    }, ackAfterMs).unref();
  }

  /** Cancels a call, also one that has yet to come. */
  #cancel(key: string): void {
    const call = this.#active.get(key);
    call?.cancellation.cancel();
    if (this.#memory.get(key)?.state === "done") return;
    const now = performance.now();
    for (const [each, at] of this.#cancelled) {
      if (now - at < early.ttlMs && this.#cancelled.size < early.max) break;
      this.#cancelled.delete(each);
    }
    this.#cancelled.set(key, now);
  }

  /** At most once a minute, because it concerns all calls. */
  #warn({ message }: MeshError): void {
    const now = performance.now();
    if (now - this.#warnedAt < 60_000) return;
    this.#warnedAt = now;
    process.emitWarning(message, { type: "ConstellationWarning" });
  }

  #refuse(inbox: string, id: string, attempt: number, error: MeshError): void {
    this.#send(inbox, { id, a: attempt }, encodeJson(refuseCall(error.toInfo(), id)));
  }

  #send(inbox: string, fields: object, reply: Uint8Array): void {
    const room = this.#link.maxPayload - maxHeaderBytes;
    const header = { t: "result", ...fields };
    for (const { index, count, digest, bytes } of splitReply(reply, room)) {
      this.#frame(inbox, count === 1 ? header : { ...header, index, count, digest }, bytes);
    }
  }

  #frame(inbox: string, header: object, body?: Uint8Array): void {
    if (!this.#link.isConnected) return; // a waiting caller will ask again
    this.#link.publish(inbox, encodeMessage(header, body));
  }
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{16,64}$/.test(value);
}

/** A repeated call has less remaining time, and may arrive before the first one. */
function attemptOf({ attempt }: Header): number {
  return typeof attempt === "number" && attempt > 1 ? attempt : 1;
}

/** Remaining time by the clock of this process, independent of how long the call was on its way. */
function withinTime(envelope: unknown, leftMs: number): unknown {
  if (!isRecord(envelope) || typeof envelope.remainingMs !== "number") return envelope;
  const remainingMs = Math.max(1, Math.min(envelope.remainingMs, Math.floor(leftMs)));
  return { ...envelope, remainingMs };
}

function otherCall(): MeshError {
  return new MeshError("INVALID_QUERY", "Another call has the same request id.", {
    suggestion: "Give each call an id of its own.",
  });
}
