import type {
  Effects,
  LibrarianInfo,
  MeshTransport,
  Progress,
  Response,
  TraceContext,
} from "@constellation/core";
import type { CallEnvelope } from "./envelope/call-envelope.js";
import type { ReplyEnvelope } from "./envelope/reply-envelope.js";

/**
 * Connects the processes of one mesh, so that they can call each other's librarians.
 *
 * @beta
 */
export interface Transport extends MeshTransport {
  /** Name of the message system, such as `"nats"`, which spans show. */
  readonly carrier: string;
  /**
   * Serves a librarian to other processes, together with all others that serve the same one.
   *
   * @returns A function that stops serving: it resolves when the calls in progress have ended.
   */
  serve(librarian: LibrarianInfo, handler: CallHandler): () => Promise<void>;
  /**
   * Calls a librarian in another process.
   *
   * @returns The reply's envelope, not read yet.
   * @throws MeshError `SERVICE_UNAVAILABLE` where no process serves it, or the one that did is gone
   *   (`remote-lost`). The reason of `signal` when that aborts.
   */
  call(call: TransportCall): Promise<unknown>;
  /**
   * Answers probes of other processes: how well the librarians of this one could answer.
   *
   * @returns A function that stops it.
   */
  serveProbes(handler: ProbeHandler): () => void;
  /**
   * Asks a process how well its librarians could answer, by one message.
   *
   * @param replica - Its id, as `replicas` has it.
   * @returns Its estimates by the id of the librarian, not read yet; `undefined` without an answer in two seconds.
   */
  probe(replica: string, content: unknown): Promise<unknown>;
  /** Librarians that other processes serve, and those that this one does. */
  present(): readonly PresentLibrarian[];
  /** The processes that serve a librarian now. */
  replicas(librarian: string): readonly Replica[];
  /** Calls back when `present` has changed. @returns A function that stops it. */
  onChange(listener: () => void): () => void;
  /**
   * Stops serving, waits for the calls in progress, and disconnects. Never rejects.
   *
   * @param options.graceMs - Maximum wait for the calls in progress, in milliseconds: those that are left are
   *   stopped. Default: 30,000.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>;
  /**
   * Reports the outcome of a write that this process has sent, also after it gave up.
   *
   * @param librarian - Id of the librarian that was called.
   * @param call - Id of the call: `details.call` of the error, or the idempotency key it was made with.
   * @throws MeshError `SERVICE_UNAVAILABLE` where that cannot be read now.
   */
  outcome(librarian: string, call: string): Promise<CallOutcome>;
}

/**
 * Answers a probe.
 *
 * @param caller - Name of the calling process, as the message system authenticated it, where it does.
 * @param content - Not read yet.
 * @returns Estimates by the id of the librarian.
 * @beta
 */
export type ProbeHandler = (
  caller: string,
  content: unknown,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Outcome of a write. `not-done`: its caller gave up before it began, and it will not be done. `unknown`: there is
 * no entry of it, or it was too long ago.
 *
 * @beta
 */
export type CallOutcome =
  | { readonly state: "running" | "not-done" | "unknown" }
  | {
      readonly state: "done";
      /** Of the librarian. Absent where it was too large to keep. */
      readonly response?: Response | undefined;
    };

/**
 * A call of a librarian in another process.
 *
 * @beta
 */
export interface TransportCall {
  readonly librarian: string;
  /** If a process is lost, a read is sent to another one; a write is not. */
  readonly effects: Effects;
  readonly query: string;
  readonly envelope: CallEnvelope;
  readonly trace?: TraceContext | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called when a process was lost and the call is sent to another one. */
  readonly onResend?: (() => void) | undefined;
  /** Called with a reply that arrives after `signal` has aborted. It lists what has not stopped. */
  readonly onLateReply?: ((reply: unknown) => void) | undefined;
  /**
   * Answers a request that the other process makes while it works on the call. A request whose answer is lost
   * comes again under the same number, and gets the first answer. Without it each request is refused.
   *
   * @param kind - What is requested, such as `"hops"`.
   * @returns The answer: JSON. May be a promise; an exception refuses the request.
   */
  readonly onRequest?: ((kind: string, body: unknown) => unknown) | undefined;
  /**
   * The other process is about to change something although `effects` is `read`: from here on this call is not sent
   * again, and those above it are not to be repeated. The change is made once the promise resolves.
   */
  readonly onWrite?: (() => Promise<void> | undefined) | undefined;
}

/**
 * Whether a call was cancelled.
 *
 * @beta
 */
export interface CallCancellation {
  readonly isCancelled: boolean;
  /** Calls back when it is cancelled; at once if it was. */
  onCancel(callback: () => void): void;
}

/**
 * A call from another process.
 *
 * @beta
 */
export interface ReceivedCall {
  /** Name of the calling process, as the message system authenticated it, where it does. */
  readonly caller: string;
  readonly query: string;
  /** Not read yet. */
  readonly envelope: unknown;
  readonly trace: TraceContext | undefined;
  /** Whether the caller has cancelled it, or is gone. */
  readonly cancellation: CallCancellation;
  readonly report: (progress: Progress) => void;
  /**
   * Asks the calling process for something while the call is in progress.
   *
   * @param kind - As `onRequest` of the call has it.
   * @param body - JSON.
   * @returns The answer, not read yet.
   * @throws MeshError `SERVICE_UNAVAILABLE` where the caller refuses, or does not answer in time. `TIMEOUT` where the
   *   call is cancelled.
   */
  readonly request: (kind: string, body?: unknown) => Promise<unknown>;
  /**
   * Must be called before something is changed. Resolves when the caller knows that it must not repeat the call.
   * Absent where the caller knows already.
   *
   * @throws MeshError where the caller does not want it any more, or could not be reached: nothing may be changed.
   */
  readonly beforeWrite?: (() => Promise<void>) | undefined;
}

/**
 * Answers calls. Never rejects.
 *
 * @beta
 */
export type CallHandler = (call: ReceivedCall) => Promise<ReplyEnvelope>;

/**
 * A librarian, and the processes that serve it.
 *
 * @beta
 */
export interface PresentLibrarian {
  readonly info: LibrarianInfo;
  readonly replicas: readonly Replica[];
}

/**
 * A process that serves a librarian.
 *
 * @beta
 */
export interface Replica {
  /** Random id of the process's transport. */
  readonly id: string;
  /** Name of the machine. */
  readonly host: string;
  readonly pid: number;
  /** Epoch milliseconds at which it began, by its own clock. */
  readonly since: number;
}
