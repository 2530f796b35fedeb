import type { Progress } from "@constellation/core";
import { MeshError, onAbort, toAbortError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import {
  expired,
  lost,
  lostWrite,
  notConnected,
  notDone,
  tooLarge,
  unserved,
} from "./call-errors.js";
import type { CallPort } from "./call-port.js";
import { RequestAnswers } from "./call-requests.js";
import type { CallTable } from "./call-table.js";
import { ReplyBuffer, readChunk } from "./chunks.js";
import { claimByCaller, decodeClaim } from "./claim.js";
import { parseJson } from "./message.js";
import type { TransportCall } from "./transport.js";

/** Maximum wait for the reply of a cancelled call, which lists what has not stopped, in milliseconds. */
const lateReplyMs = 10_000;

/** Maximum number of times that a process may refuse a call as late although its caller still has time. */
const maxExpired = 2;

/** One call that this process makes: it is over when the caller has its outcome and no late reply is awaited. */
export class SentCall {
  readonly id: string;
  readonly call: TransportCall;
  /** The process that works on it, as far as is known. */
  node: string | undefined;
  /** When the last frame came, or the call was sent, in milliseconds of `performance.now()`. */
  heardAt = 0;
  /** When to ask for its state next, counted from `heardAt`, in milliseconds. 0: not scheduled. */
  checkAfterMs = 0;
  isSent = false;
  /** The promise that the caller awaits. */
  reply: Promise<unknown> | undefined;
  /** The calls that its process works on, itself among them. */
  workerCalls: CallTable<SentCall> | undefined;
  readonly #port: CallPort<SentCall>;
  readonly #resolve: (reply: unknown) => void;
  readonly #reject: (error: unknown) => void;
  readonly #tried = new Set<string>();
  readonly #startedAt = performance.now();
  #answers: RequestAnswers | undefined;
  #replies: ReplyBuffer | undefined;
  /** Number of times it was sent. */
  #attempt = 0;
  /** The first attempt at the present process. */
  #firstOfNode = 1;
  /** Number of processes that were lost or have stopped it. */
  #lost = 0;
  #expired = 0;
  #lastLine = 0;
  #isOver = false;
  /** A write was announced: nothing is sent again. */
  #hasWritten = false;
  #isSettling = false;
  #unfollow: (() => void) | undefined;

  constructor(
    port: CallPort<SentCall>,
    call: TransportCall,
    id: string,
    resolve: (reply: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    this.#port = port;
    this.call = call;
    this.id = id;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    const { signal } = this.call;
    if (signal.aborted) {
      this.#stop();
      return;
    }
    this.#unfollow = onAbort(signal, () => this.#stop());
    this.#next(undefined);
  }

  get #isWrite(): boolean {
    return (
      this.call.effects === "write" || this.#hasWritten || this.#port.isWrite(this.call.librarian)
    );
  }

  get #isDone(): boolean {
    return this.#isOver || this.call.signal.aborted;
  }

  /** Sends it to a process that was not tried yet. @param error - Why the last one does not answer it. */
  #next(error: MeshError | undefined): void {
    const { librarian } = this.call;
    if (this.#isDone) return;
    if (!this.#port.isConnected) return void this.#whenConnected(error);
    // When each process has its own claims, a process that did the work already must be called.
    const isRepeatable = this.call.envelope.idempotencyKey !== undefined && !this.#port.canClaim;
    const node = this.#port.choose(librarian, this.#tried, isRepeatable ? this.id : undefined);
    if (node !== undefined) {
      this.#sendTo(node);
      return;
    }
    if (error !== undefined) {
      this.#fail(error);
      return;
    }
    void this.#port.find(librarian).then((found) => {
      if (this.#isDone) return;
      if (found === undefined || this.#tried.has(found)) this.#fail(unserved(librarian));
      else this.#sendTo(found);
    });
  }

  async #whenConnected(error: MeshError | undefined): Promise<void> {
    if (await this.#port.connected()) this.#next(error);
    else this.#fail(notConnected());
  }

  #sendTo(node: string): void {
    if (this.node !== node) this.#firstOfNode = this.#attempt + 1;
    this.node = node;
    this.#tried.add(node);
    if (this.call.envelope.remainingMs === undefined) {
      this.#publish(undefined);
      return;
    }
    const clock = this.#port.clock(node);
    if (typeof clock === "number") {
      this.#publish(clock);
      return;
    }
    void Promise.resolve(clock).then((learned) => {
      if (this.#isDone || this.node !== node) return;
      if (learned !== undefined) return this.#publish(learned);
      this.#port.report(node);
      this.#next(lost(this.call.librarian, 1));
    });
  }

  /** @param clock - The present moment on the clock of the other process: the call expires by that. */
  #publish(clock: number | undefined): void {
    const { remainingMs } = this.call.envelope;
    const elapsedMs = performance.now() - this.#startedAt;
    const expires =
      clock === undefined || remainingMs === undefined
        ? undefined
        : clock + remainingMs - elapsedMs;
    this.#attempt++;
    this.#lastLine = 0; // the count restarts with another process
    try {
      const payload = this.#port.encode(this, this.#attempt, expires, elapsedMs);
      const { maxPayload } = this.#port;
      if (payload.length > maxPayload) throw tooLarge(payload.length, maxPayload);
      this.heardAt = performance.now();
      this.isSent = true;
      this.#port.send(this, payload);
    } catch (thrown) {
      this.#fail(MeshError.from(thrown, this.call.librarian));
    }
  }

  /** A frame has come. */
  onFrame(header: Readonly<Record<string, unknown>>, body: Uint8Array): void {
    if (this.#isOver) return;
    if (header.t === "result") {
      this.#onResult(header, body);
      return;
    }
    if (header.t === "unknown" && header.node === this.node) {
      this.#resend();
      return;
    }
    const isEarlier = typeof header.a !== "number" || header.a < this.#firstOfNode;
    if (isEarlier || this.call.signal.aborted) return; // of another process
    this.heardAt = performance.now();
    if (header.written === true) this.#hasWritten = true;
    if (header.t === "progress") this.#onProgress(header.n, body);
    if (header.t === "request") void this.#onRequest(header, body);
    if (header.t === "refused") this.#onRefused(header.reason);
  }

  #onResult(header: Readonly<Record<string, unknown>>, body: Uint8Array): void {
    const chunk = readChunk(header, body);
    if (chunk === undefined) return;
    this.heardAt = performance.now();
    let whole = body;
    if (chunk.count > 1) {
      this.#replies ??= new ReplyBuffer();
      const joined = this.#replies.add(chunk);
      if (joined === undefined) return;
      whole = joined;
    }
    const reply = parseReply(whole, header);
    if (this.call.signal.aborted) {
      this.#end();
      this.call.onLateReply?.(reply);
      return;
    }
    // From another process than the current one, which also works on the call.
    const isEarlier = typeof header.a === "number" && header.a > 0 && header.a < this.#firstOfNode;
    if (isStopped(reply)) {
      if (!isEarlier) this.#onStopped();
      return;
    }
    this.#end();
    if (isEarlier) this.#cancel();
    this.#resolve(reply);
  }

  /** The process stopped the work, without a cancel of this caller. */
  #onStopped(): void {
    const { librarian } = this.call;
    if (this.#isWrite) this.#fail(lostWrite(librarian, this.id, "was stopped"));
    else this.#leave();
  }

  #onProgress(line: unknown, body: Uint8Array): void {
    // A link may duplicate and reorder lines.
    if (typeof line !== "number" || line <= this.#lastLine) return;
    this.#lastLine = line;
    const progress = parseProgress(parseJson(body));
    if (progress !== undefined) this.call.onProgress?.(progress);
  }

  async #onRequest(
    { n, kind }: Readonly<Record<string, unknown>>,
    content: Uint8Array,
  ): Promise<void> {
    if (typeof n !== "number" || typeof kind !== "string") return;
    const { node } = this;
    this.#answers ??= new RequestAnswers((each, given) => this.#answer(each, given));
    const { isRefused, body } = await this.#answers.get(n, kind, parseJson(content));
    // The process was lost in the meantime: another process may have the call, with the same right.
    if (node === undefined || node !== this.node || this.#isDone) return;
    this.#port.sendTo(
      this,
      node,
      { t: "answer", n, ...(isRefused && { refused: true }) },
      body ?? null,
    );
  }

  #answer(kind: string, body: unknown): unknown {
    if (kind === "write") {
      this.#hasWritten = true; // it is not sent again from now on
      return this.call.onWrite?.();
    }
    if (this.call.onRequest === undefined) throw new RangeError("This caller answers no requests.");
    return this.call.onRequest(kind, body);
  }

  #onRefused(reason: unknown): void {
    const { librarian } = this.call;
    const { node } = this;
    if (reason === "claimed") return void this.#settle();
    if (reason === "expired" && node !== undefined && ++this.#expired <= maxExpired) {
      this.#port.forgetClock(node); // the estimate of the clock seems to be wrong
      this.#sendTo(node);
      return;
    }
    if (reason === "expired") {
      this.#fail(expired(librarian));
      return;
    }
    this.#next(unserved(librarian));
  }

  /** The process has never received it. */
  #resend(): void {
    const { node } = this;
    if (node !== undefined && !this.#isDone) this.#sendTo(node);
  }

  /** No process listens at the address: it was certainly not received. */
  onUndeliverable(): void {
    const { node } = this;
    if (this.#isDone || node === undefined || !this.isSent) return;
    this.isSent = false;
    this.#port.report(node);
    this.#next(unserved(this.call.librarian));
  }

  /** Whether it waits longer for a process that is not there any more, because it may come back. */
  get waitsForReturn(): boolean {
    return this.#isWrite;
  }

  /** The process that works on it does not answer any more. */
  onLost(): void {
    const { librarian } = this.call;
    if (this.#isDone || this.#isSettling) return;
    if (this.#isWrite) return void this.#settle();
    const { node } = this;
    // When all were tried, one that is still present may answer now.
    if (this.#port.choose(librarian, this.#tried) === undefined) {
      this.#tried.clear();
      const others = node === undefined ? [] : [node];
      if (this.#port.choose(librarian, new Set(others)) !== undefined)
        for (const each of others) this.#tried.add(each);
    }
    this.#leave();
  }

  /** Sends a read to another process, if there were not too many already. */
  #leave(): void {
    const error = lost(this.call.librarian, ++this.#lost);
    if (this.#lost >= this.#port.maxAttempts) {
      this.#fail(error);
      return;
    }
    this.call.onResend?.();
    this.#next(error);
  }

  /** Decides the outcome of a write: if this process is the first to claim it, it was not done. */
  async #settle(): Promise<void> {
    const { librarian, effects } = this.call;
    this.#isSettling = true;
    const unknown = lostWrite(librarian, this.id);
    const isClaimed = effects === "write" || this.#port.isWrite(librarian);
    if (!this.#port.canClaim || !isClaimed) return this.#fail(unknown);
    try {
      const found = await this.#port.claim(this, claimByCaller);
      const claim = found === undefined ? claimByCaller : decodeClaim(found);
      if (claim?.state === "done" && claim.reply !== undefined) {
        const { reply } = claim;
        if (this.#isOver) return;
        this.#end();
        this.#resolve(isRecord(reply) ? { ...reply, repeat: true } : reply);
      } else this.#fail(claim?.state === "given-up" ? notDone(librarian, this.id) : unknown);
    } catch {
      this.#fail(unknown);
    }
  }

  #stop(): void {
    this.#reject(toAbortError(this.call.signal));
    if (!this.isSent) {
      this.#end();
      return;
    }
    this.#cancel();
    if (this.call.effects === "write" && this.#port.canClaim) {
      // If it has not begun by then, it never will.
      void this.#port.claim(this, claimByCaller).catch(() => undefined);
    }
    // The reply to a cancel lists what has not stopped.
    setTimeout(() => this.#end(), lateReplyMs).unref();
  }

  #cancel(): void {
    if (this.node !== undefined) this.#port.sendTo(this, this.node, { t: "cancel", id: this.id });
  }

  #fail(error: MeshError): void {
    if (this.#isDone) return;
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unfollow?.();
    this.#port.ended(this);
  }
}

function parseReply(whole: Uint8Array, { repeat }: Readonly<Record<string, unknown>>): unknown {
  const reply = parseJson(whole);
  return isRecord(reply) && repeat === true ? { ...reply, repeat } : reply;
}

/** Whether a reply reports that its run was cancelled. */
function isStopped(reply: unknown): boolean {
  const response = isRecord(reply) && isRecord(reply.response) ? reply.response : {};
  const { answer, error } = response;
  if (answer !== undefined || !isRecord(error) || error.code !== "TIMEOUT") return false;
  return isRecord(error.details) && error.details.reason === "cancelled";
}

function parseProgress(value: unknown): Progress | undefined {
  if (!isRecord(value)) return undefined;
  const { message, text, replaces } = value;
  if (typeof text === "string") return { text, ...(replaces === true && { replaces }) };
  return typeof message === "string" ? { message } : undefined;
}
