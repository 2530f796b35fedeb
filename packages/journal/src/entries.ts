import type {
  DecisionRecord,
  ErrorInfo,
  MergeStrategy,
  Response,
  RunThread,
  Via,
} from "@constellation/core";

/** Raised when the bodies of entries change; a run with entries of another version is not continued. */
export const entryVersion = 1;

/** Input of a hop, for a replay. */
export interface AskedBody {
  /** Position in the order of starts and ends in the run, in one process. */
  readonly started: number;
  readonly ended: number;
  /** It ended in the same turn of the event loop in which it started, without waiting. */
  readonly isAtOnce?: true | undefined;
  readonly to: string;
  readonly via: Via;
  /** Key of the hop that asked. */
  readonly parent?: string | undefined;
  /** Only for hops of `context.ask`. */
  readonly query?: string | undefined;
  /** The part that differs from the parent. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly merge?: MergeStrategy | undefined;
}

/** Recorded outcome of a hop. */
export interface HopBody {
  readonly asked?: AskedBody | undefined;
  readonly v: number;
  /** Version of the librarian's code. */
  readonly version?: string | undefined;
  /** Absent where it was too large to keep, or has a merge function. */
  readonly response?: Response | undefined;
  /** Answers of people and events to its waits. */
  readonly decisions?: readonly DecisionRecord[] | undefined;
  /** It contains claims of the caller. */
  readonly isClaim?: true | undefined;
  /** It was stopped: at its deadline, with that response, or because it was not needed any more. */
  readonly stopped?: "deadline" | "cancelled" | undefined;
}

/** Recorded outcome of a call of a model: its result or error. */
export interface ModelBody {
  readonly v: number;
  readonly result?: unknown;
  readonly error?: ErrorInfo | undefined;
}

/** Recorded outcome of a step. */
export interface StepBody {
  readonly v: number;
  /** Absent: it returned `undefined`. */
  readonly value?: unknown;
  /** Too large to keep. */
  readonly isOmitted?: true | undefined;
}

/** Another query for the hop that a fork begins at. */
export interface ForkBody {
  readonly v: number;
  readonly query: string;
}

/** The thread of a run, as its librarians read it. */
export interface ThreadBody {
  readonly v: number;
  readonly thread: RunThread;
}

/** Key of the {@link ThreadBody} of a run. It differs from the key of every hop. */
export const threadKey = " thread";

/** Key of the {@link ForkBody} of a hop. */
export function formatForkKey(hopKey: string): string {
  return `${hopKey} fork`;
}

/** @returns `undefined` for what is not an object of this version. */
export function readBody<Body extends { readonly v: number }>(body: string): Body | undefined {
  const read: unknown = JSON.parse(body);
  const isBody =
    typeof read === "object" && read !== null && Reflect.get(read, "v") === entryVersion;
  return isBody ? (read as Body) : undefined; // written by this package under this version
}
