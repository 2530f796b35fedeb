import { createHash } from "node:crypto";
import { cancelledError } from "../authoring/abort-error.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Progress } from "../contract/progress.js";
import { isTraceContext } from "../contract/trace-context.js";
import { isRecord } from "../contract/unknown-value.js";
import { refuseCall } from "../envelope/reply-envelope.js";
import { splitReply } from "./chunks.js";
import type { Link, LinkMessage } from "./link.js";
import { decodeMessage, encodeJson, encodeMessage, maxHeaderBytes, parseJson } from "./message.js";
import { ReplyMemory } from "./reply-memory.js";
import type { TransportSettings } from "./settings.js";
import { lastToken, type Subjects } from "./subjects.js";
import type { CallHandler } from "./transport.js";

/** A call in progress. */
interface ActiveCall {
  readonly controller: AbortController;
  /** Random id of the calling process. */
  readonly from: string;
  readonly ended: Promise<void>;
}

/** Maximum number of lines of progress that one call sends. */
const maxProgress = 1_000;

/** How long a cancel that came before its call is remembered, in milliseconds, and how many are. */
const early = { ttlMs: 60_000, max: 10_000 };

/** The calls that this process receives. */
export class ReceivedCalls {
  readonly #link: Link;
  readonly #settings: TransportSettings;
  readonly #subjects: Subjects;
  readonly #active = new Map<string, ActiveCall>();
  readonly #memory = new ReplyMemory();
  /** Ids that were cancelled, and when. */
  readonly #cancelled = new Map<string, number>();

  constructor(link: Link, settings: TransportSettings, subjects: Subjects) {
    this.#link = link;
    this.#settings = settings;
    this.#subjects = subjects;
  }

  /** Answers a call, unless it is not one, or another process has claimed it. */
  async receive(message: LinkMessage, handler: CallHandler, isWrite: boolean): Promise<void> {
    const { reply: inbox, subject, payload } = message;
    const { header, body } = decodeMessage(payload) ?? {};
    const { id, from } = header ?? {};
    if (inbox === undefined || header?.t !== "call" || !isName(id) || !isName(from)) return;
    const caller = lastToken(subject);
    // Any caller could otherwise have replies sent to where others listen.
    if (!inbox.startsWith(this.#subjects.inboxOf(caller))) return;
    const key = `${caller} ${id}`;
    const content = body ?? new Uint8Array();
    const known = this.#memory.get(key);
    const fingerprint = isRepeat(header) ? undefined : fingerprintOf(content);
    const isOther =
      fingerprint !== undefined && fingerprint !== (known?.fingerprint ?? fingerprint);
    if (isOther) {
      this.#send(inbox, id, encodeJson(refuseCall(otherCall().toInfo(), id)));
      return;
    }
    if (known?.state === "done") {
      if (known.reply !== undefined) this.#send(inbox, id, known.reply, true);
      return;
    }
    if (known?.state === "running") {
      this.#frame(inbox, { t: "ack", id });
      return;
    }
    if (this.#cancelled.has(id)) {
      this.#send(inbox, id, encodeJson(refuseCall(cancelledError().toInfo(), id)));
      return;
    }
    this.#memory.begin(key, fingerprint);
    if (isWrite && !(await this.#link.claim(id).catch(() => false))) return;
    await this.#run({ id, from, caller, key, inbox, content: parseJson(content) }, handler);
  }

  /** Cancels a call, also one that has yet to come. */
  cancel(id: string): void {
    const call = this.#active.get(id);
    if (call !== undefined) call.controller.abort(cancelledError());
    const now = performance.now();
    for (const [each, at] of this.#cancelled) {
      if (now - at < early.ttlMs && this.#cancelled.size < early.max) break;
      this.#cancelled.delete(each);
    }
    this.#cancelled.set(id, now);
  }

  /** Cancels what a process that is gone has called. */
  cancelFrom(process: string): void {
    for (const { from, controller } of this.#active.values()) {
      if (from === process) controller.abort(cancelledError());
    }
  }

  /** Resolves when the calls in progress have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#active.values()].map(({ ended }) => ended));
  }

  async #run(
    call: {
      id: string;
      from: string;
      caller: string;
      key: string;
      inbox: string;
      content: unknown;
    },
    handler: CallHandler,
  ): Promise<void> {
    const { id, from, caller, key, inbox, content } = call;
    const { query, envelope, trace } = isRecord(content) ? content : {};
    const controller = new AbortController();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#active.set(id, { controller, from, ended });
    let beats = 0;
    const heartbeat = setInterval(() => {
      this.#frame(inbox, { t: beats++ === 0 ? "ack" : "heartbeat", id });
    }, this.#settings.heartbeatMs);
    let lines = 0;
    try {
      const reply = await handler({
        caller,
        query: typeof query === "string" ? query : "",
        envelope,
        trace: isTraceContext(trace) ? trace : undefined,
        signal: controller.signal,
        report: (progress: Progress) => {
          if (++lines <= maxProgress)
            this.#frame(inbox, { t: "progress", id, n: lines }, encodeJson(progress));
        },
      });
      const bytes = encodeJson(reply);
      this.#memory.end(key, bytes);
      this.#send(inbox, id, bytes);
    } finally {
      clearInterval(heartbeat);
      this.#active.delete(id);
      end();
    }
  }

  #send(inbox: string, id: string, reply: Uint8Array, isRepeat = false): void {
    const room = this.#link.maxPayload - maxHeaderBytes;
    const header = isRepeat ? { t: "result", id, repeat: true } : { t: "result", id };
    for (const { index, count, digest, bytes } of splitReply(reply, room)) {
      this.#frame(inbox, count === 1 ? header : { ...header, index, count, digest }, bytes);
    }
  }

  #frame(inbox: string, header: object, body?: Uint8Array): void {
    this.#link.publish(inbox, encodeMessage(header, body));
  }
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{16,64}$/.test(value);
}

/** A call that was sent again differs in the time that is left, and may come before the first. */
function isRepeat(header: Readonly<Record<string, unknown>>): boolean {
  return typeof header.attempt === "number" && header.attempt > 1;
}

function otherCall(): MeshError {
  return new MeshError("INVALID_QUERY", "Another call has the same request id.", {
    suggestion: "Give each call an id of its own.",
  });
}

/** Longest call that is remembered as it is, in bytes: a digest of a longer one. */
const maxVerbatim = 2_048;

/** What two calls of the same id are compared by. */
function fingerprintOf(content: Uint8Array): string {
  if (content.length > maxVerbatim) return createHash("sha256").update(content).digest("hex");
  return Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1");
}
