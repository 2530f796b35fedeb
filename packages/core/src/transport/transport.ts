import type { Effects, LibrarianInfo } from "../contract/librarian-info.js";
import type { MeshTransport } from "../contract/mesh-transport.js";
import type { Progress } from "../contract/progress.js";
import type { TraceContext } from "../contract/trace-context.js";
import type { CallEnvelope } from "../envelope/call-envelope.js";
import type { ReplyEnvelope } from "../envelope/reply-envelope.js";

/** Calls librarians in other processes of one mesh, and is called by them. */
export interface Transport extends MeshTransport {
  /** What carries its calls, such as `"nats"`: its spans show it. */
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
  /** Librarians that other processes serve, and those that this one does. */
  present(): readonly PresentLibrarian[];
  /** The processes that serve a librarian now. */
  replicas(librarian: string): readonly Replica[];
  /** Calls back when `present` has changed. @returns A function that stops it. */
  onChange(listener: () => void): () => void;
  /** Stops serving, waits for the calls in progress, and disconnects. Never rejects. */
  close(): Promise<void>;
}

/** A call of a librarian in another process. */
export interface TransportCall {
  readonly librarian: string;
  /** Reads are asked again in another process where one is lost; writes never. */
  readonly effects: Effects;
  readonly query: string;
  readonly envelope: CallEnvelope;
  readonly trace?: TraceContext | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with a reply that comes after `signal` has aborted: it names what has not stopped. */
  readonly onLateReply?: ((reply: unknown) => void) | undefined;
}

/** A call from another process. */
export interface ReceivedCall {
  /** Name of the calling process, as the message system authenticated it, where it does. */
  readonly caller: string;
  readonly query: string;
  /** Not read yet. */
  readonly envelope: unknown;
  readonly trace: TraceContext | undefined;
  /** Aborts when the caller cancels, or is gone. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Answers calls. Never rejects. */
export type CallHandler = (call: ReceivedCall) => Promise<ReplyEnvelope>;

/** A librarian, and the processes that serve it. */
export interface PresentLibrarian {
  readonly info: LibrarianInfo;
  readonly replicas: readonly Replica[];
}

/** A process that serves a librarian. */
export interface Replica {
  /** Random id of the process's transport. */
  readonly id: string;
  /** Name of the machine. */
  readonly host: string;
  readonly pid: number;
  /** Epoch milliseconds at which it began, by its own clock. */
  readonly since: number;
}
