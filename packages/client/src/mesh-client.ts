import type {
  AskOptions,
  MergeStrategy,
  MeshEvent,
  Response,
  WaitAnswer,
  Waiting,
} from "@constellation/core";

/** Asks one mesh. Nothing is open between calls, so there is nothing to close. */
export interface MeshClient {
  /**
   * Asks, and waits for the response. When `signal` aborts, the run is cancelled.
   *
   * @returns The response, also one with an `error` alone. Rejects with {@link ClientError} where there is none.
   */
  ask(query: string, options?: ClientAskOptions): Promise<Response>;
  /**
   * Asks, and yields events: `run`, the events of the run, and at last `response`. Leaving the loop early cancels the
   * run. Rejects as `ask` does, and when the connection breaks.
   */
  stream(query: string, options?: ClientAskOptions): AsyncGenerator<ClientEvent>;
  /** Asks, and lets the run continue without the client. Needs a server with a journal. */
  start(query: string, options?: ClientAskOptions): Promise<RunState>;
  /**
   * Watches a journaled run, whatever process works on it: `run`, its entries, what it waits for, and at last `response`. A
   * connection that breaks is opened again, and continues after the last entry. Leaving the loop does not cancel the run.
   */
  watch(runId: string, options?: WatchOptions): AsyncGenerator<ClientEvent>;
  /** State of a run, with its response once it has one. */
  read(runId: string, options?: SignalOptions): Promise<RunState>;
  /** Cancels a journaled run, also in another process. */
  cancel(runId: string, options?: SignalOptions): Promise<RunState>;
  /** Waits of runs that the user may answer. */
  waiting(options?: SignalOptions): Promise<readonly Waiting[]>;
  /** Answers what a run waits for: `{ approve: true }`, `{ value }` or `{ repeat: true }`, with a `comment`. */
  answer(
    wait: Pick<Waiting, "id" | "runId">,
    answer: Omit<WaitAnswer, "id" | "user">,
    options?: SignalOptions,
  ): Promise<RunState>;
}

/** Options of every call. */
interface SignalOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a question: the options of `router.ask` that a client may set. */
export interface ClientAskOptions
  extends SignalOptions,
    Pick<AskOptions, "to" | "thread" | "timeoutMs" | "metadata"> {
  readonly merge?: Exclude<MergeStrategy, (...given: never[]) => unknown> | undefined;
}

/** Options of {@link MeshClient.watch}. */
export interface WatchOptions extends SignalOptions {
  /** Id of the last event received: later ones follow. Default: all events. */
  readonly lastEventId?: string | undefined;
}

/** State of a run. */
export interface RunState {
  readonly runId: string;
  /** Absent where the server has no journal. */
  readonly status?: "running" | "waiting" | "ended" | undefined;
  readonly waiting?: readonly Waiting[] | undefined;
  readonly response?: Response | undefined;
}

/** Something that happens in a run. */
export type ClientEvent =
  | { readonly event: "run"; readonly data: { readonly runId: string; readonly traceId?: string } }
  | {
      readonly event: "response";
      readonly data: { readonly status: number; readonly response: Response };
    }
  | { readonly event: "waiting"; readonly data: { readonly waiting: readonly Waiting[] } }
  | {
      /** A journaled entry: which librarian did something. */
      readonly event: "entry:hop" | "entry:model" | "entry:step";
      /** Continues `watch` after it. */
      readonly id: string;
      readonly data: { readonly phase: string; readonly at: number; readonly to?: string };
    }
  | {
      readonly [Name in MeshEvent["type"]]: {
        readonly event: Name;
        readonly data: Extract<MeshEvent, { readonly type: Name }>;
      };
    }[MeshEvent["type"]];
