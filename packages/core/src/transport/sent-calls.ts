import { toAbortError } from "../authoring/abort-error.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Progress } from "../contract/progress.js";
import { isRecord } from "../contract/unknown-value.js";
import { chunkOf, ReplyBuffer } from "./chunks.js";
import type { Link, LinkMessage, LinkSubscription } from "./link.js";
import { decodeMessage, encodeJsonMessage, parseJson } from "./message.js";
import type { TransportSettings } from "./settings.js";
import { lastToken, type Subjects } from "./subjects.js";
import type { TransportCall } from "./transport.js";

/** How long the reply of a call that was cancelled is awaited, to see what has not stopped, in milliseconds. */
const lateReplyMs = 10_000;

/** A call that waits for its reply. */
interface WaitingCall {
  /** A frame has come. */
  onFrame(header: Readonly<Record<string, unknown>>, body: Uint8Array): void;
  /** No process serves the librarian. */
  onUndeliverable(): void;
}

/** The calls that this process makes. */
export class SentCalls {
  readonly #link: Link;
  readonly #settings: TransportSettings;
  readonly #subjects: Subjects;
  readonly #process: string;
  readonly #inboxSubject: string;
  readonly #waiting = new Map<string, WaitingCall>();
  #inbox: LinkSubscription | undefined;

  /** @param process - Random id of this process. */
  constructor(link: Link, settings: TransportSettings, subjects: Subjects, process: string) {
    this.#link = link;
    this.#settings = settings;
    this.#subjects = subjects;
    this.#process = process;
    this.#inboxSubject = subjects.inboxOf(settings.caller) + process;
  }

  /** Listens to replies. Call it once the link is open. */
  open(): void {
    this.#inbox ??= this.#link.subscribe(`${this.#inboxSubject}.*`, (message) => {
      this.#receive(message);
    });
  }

  close(): void {
    this.#inbox?.unsubscribe();
  }

  call(call: TransportCall): Promise<unknown> {
    const { signal, onProgress, onLateReply } = call;
    const id = call.envelope.requestId ?? "";
    const { lostAfterMs, heartbeatMs } = this.#settings;
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const replies = new ReplyBuffer();
      let attempt = 0;
      let timer: NodeJS.Timeout | undefined;
      let isOver = false;
      let lastLine = 0;
      let heardAt = startedAt;

      /** Whether a line of progress follows those before it: a link may double lines and reorder them. */
      const isNext = (line: unknown) => {
        if (typeof line !== "number" || line <= lastLine) return false;
        lastLine = line;
        return true;
      };
      const end = () => {
        isOver = true;
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        this.#waiting.delete(id);
      };
      const fail = (error: MeshError) => {
        if (isOver) return;
        end();
        reject(error);
      };
      const watch = () => {
        heardAt = performance.now();
        if (timer === undefined) timer = setTimeout(onSilence, lostAfterMs);
        else timer.refresh();
      };
      const onSilence = () => {
        // Where the timer is late this process itself stood still, and has yet to read what came meanwhile.
        if (performance.now() - heardAt > lostAfterMs + heartbeatMs) watch();
        else onLost();
      };
      const send = () => {
        attempt++;
        lastLine = 0; // another process counts anew
        if (!this.#link.isConnected) return fail(notConnected());
        try {
          this.#send(call, id, attempt, performance.now() - startedAt);
        } catch (thrown) {
          return fail(MeshError.from(thrown, call.librarian));
        }
        watch();
      };
      const onLost = () => {
        if (call.effects === "write") fail(lostWrite(call.librarian));
        else if (attempt >= this.#settings.maxAttempts) fail(lost(call.librarian, attempt));
        else send();
      };
      const stop = () => {
        clearTimeout(timer);
        reject(toAbortError(signal));
        this.#cancel(id);
        // The reply to a cancel names what has not stopped.
        setTimeout(() => !isOver && end(), lateReplyMs).unref();
      };

      this.#waiting.set(id, {
        onFrame: (header, body) => {
          if (isOver) return;
          const chunk = header.t === "result" ? chunkOf(header, body) : undefined;
          const whole = chunk === undefined ? undefined : replies.add(chunk);
          if (whole === undefined) {
            if (signal.aborted) return;
            watch();
            if (header.t === "progress" && isNext(header.n)) {
              const progress = progressOf(parseJson(body));
              if (progress !== undefined) onProgress?.(progress);
            }
            return;
          }
          const reply = replyOf(whole, header);
          end();
          if (attempt > 1) this.#cancel(id); // an earlier process may work on it still
          if (signal.aborted) onLateReply?.(reply);
          else resolve(reply);
        },
        onUndeliverable: () => fail(unserved(call.librarian)),
      });
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      send();
    });
  }

  #send(call: TransportCall, id: string, attempt: number, elapsedMs: number): void {
    const { librarian, query, trace } = call;
    const envelope = withoutElapsed(call.envelope, elapsedMs);
    const header = { t: "call", v: 1, id, from: this.#process, attempt };
    const payload = encodeJsonMessage(header, { query, envelope, trace });
    if (payload.length > this.#link.maxPayload)
      throw tooLarge(payload.length, this.#link.maxPayload);
    const subject = this.#subjects.call(librarian, this.#settings.caller);
    this.#link.publish(subject, payload, `${this.#inboxSubject}.${id}`);
  }

  #cancel(id: string): void {
    if (this.#link.isConnected) this.#link.publish(this.#subjects.cancel(id), new Uint8Array());
  }

  #receive({ subject, payload, isUndeliverable }: LinkMessage): void {
    const call = this.#waiting.get(lastToken(subject));
    if (call === undefined) return;
    if (isUndeliverable) {
      call.onUndeliverable();
      return;
    }
    const { header, body } = decodeMessage(payload) ?? {};
    if (header !== undefined && body !== undefined) call.onFrame(header, body);
  }
}

function withoutElapsed(envelope: TransportCall["envelope"], elapsedMs: number) {
  const { remainingMs } = envelope;
  if (remainingMs === undefined) return envelope;
  return { ...envelope, remainingMs: Math.max(1, Math.floor(remainingMs - elapsedMs)) };
}

function replyOf(whole: Uint8Array, { repeat }: Readonly<Record<string, unknown>>): unknown {
  const reply = parseJson(whole);
  return isRecord(reply) && repeat === true ? { ...reply, repeat } : reply;
}

function progressOf(value: unknown): Progress | undefined {
  if (!isRecord(value)) return undefined;
  const { message, text, replaces } = value;
  if (typeof text === "string") return { text, ...(replaces === true && { replaces }) };
  return typeof message === "string" ? { message } : undefined;
}

function unserved(librarian: string): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", `No process serves "${librarian}" now.`, {
    suggestion: "Start a process that serves it, then ask again.",
  });
}

function notConnected(): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The transport is not connected.", {
    suggestion: "Check that its server is up and reachable, then ask again.",
  });
}

function lost(librarian: string, attempts: number): MeshError {
  const processes = attempts === 1 ? "The process" : `Each of ${attempts} processes`;
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `${processes} that worked on it for "${librarian}" gave no sign of life.`,
    { reason: "remote-lost" },
  );
}

function lostWrite(librarian: string): MeshError {
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `The process that worked on it for "${librarian}" gave no sign of life. It may have been done.`,
    {
      reason: "remote-lost",
      suggestion: "Check whether it was done before you ask again: it changes something.",
    },
  );
}

function tooLarge(bytes: number, max: number): MeshError {
  return new MeshError(
    "INVALID_QUERY",
    `The call has ${bytes} bytes; the transport takes at most ${max}.`,
    { suggestion: "Ask a shorter question, or forward fewer keys of the metadata." },
  );
}
