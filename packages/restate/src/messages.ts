import type {
  JournaledRequest,
  RecordedAnswer,
  RemoteCaller,
  Response,
  RunThread,
  TraceContext,
  User,
  Waiting,
} from "@constellation/core";
import type { ReplyEnvelope } from "@constellation/transport/envelope";

// Messages through Restate: plain data.

/** Answers to waits, by their id. */
export type Answers = Readonly<Record<string, RecordedAnswer>>;

/** A new run. */
export interface RunMessage {
  readonly request: Omit<JournaledRequest, "timeoutMs"> & { readonly timeoutMs?: number };
  /** The thread it is asked in, as it was then. */
  readonly thread?: RunThread | undefined;
}

/** Outcome of a round of a run. */
export interface RoundOutcome {
  readonly response: Response;
  /** Ids of the librarians that answered, each after those that it asked. */
  readonly librarians: readonly string[];
}

/** A hop, as an invocation of its own. */
export interface HopMessage {
  readonly runId: string;
  /** Content key of the hop in its run. */
  readonly key: string;
  /** Number of the call. From 1 on it waited before, or is repeated. */
  readonly turn: number;
  /** Whether it may change something, and must not be done twice. */
  readonly isOnce?: true | undefined;
  readonly to: string;
  readonly query: string;
  readonly user?: User | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly caller: RemoteCaller;
  readonly trace?: TraceContext | undefined;
  readonly answers: Answers;
}

/** One line of the record of a run: before work (`intent`), after it (`outcome`). */
export interface RecordedLine {
  readonly key: string;
  readonly phase: "intent" | "outcome";
  /** JSON. */
  readonly body: string;
}

/** Status of a run. */
export interface RunState {
  /** Number of the round that it works on, or that it waits after; from 0. */
  readonly round: number;
  /** Empty: it works, or has ended. */
  readonly waiting: readonly Waiting[];
  readonly isEnded: boolean;
}

/** What the run waits for, where it is. */
export function waitingIn(reply: ReplyEnvelope): readonly Waiting[] {
  const metadata = reply.response.metadata as Response["metadata"] | undefined; // written by `replyTo`
  return metadata?.waiting ?? [];
}
