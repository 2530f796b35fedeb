import type { AIClient } from "./ai-client.js";
import type { MeshLibrarian } from "./librarian.js";
import type { LibrarianInfo } from "./librarian-info.js";
import type { MeshError } from "./mesh-error.js";
import type { MergeStrategy, Response } from "./response.js";
import type { RunThread } from "./thread.js";
import type { User } from "./user.js";
import type { StepWork, WaitAnswer, Waiting } from "./waiting.js";

/** A hop as a journal sees it. */
export interface JournaledHop {
  readonly parent: JournaledHop | undefined;
  readonly to: string;
  readonly query: string;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** As `Via` of its events. */
  readonly via: "entry" | "delegate" | "ask" | "fallback";
  readonly merge: MergeStrategy | undefined;
  readonly registration: { readonly info: LibrarianInfo } | undefined;
  /** Ends it now, for this reason. */
  stop(error: MeshError): void;
  /** Reports an answer that it got when it was recorded. */
  decided(decision: DecisionRecord): void;
}

/** What a journal decides when a hop is about to call its librarian; `undefined`: call it. */
export type HopStart =
  /** Its outcome is recorded. `isClaim`: it repeats what the caller claimed, so none of it counts as observed. */
  | { readonly response: Response; readonly isClaim: boolean }
  /** Call it once this has resolved; it rejects with a `MeshError` where it must not be called. */
  | { readonly intent: Promise<void> }
  /** It was called before, with an unknown outcome. */
  | { readonly waiting: Waiting }
  /** Called in its place, with its context. */
  | { readonly instead: MeshLibrarian };

/** A wait as the librarian requests it, without the fields that the journal adds. */
export type WaitRequest = Omit<Waiting, "id" | "runId" | "librarian" | "requestedBy">;

/** How a wait was answered, as it is recorded. Plain data. */
export interface RecordedAnswer {
  readonly outcome: "approved" | "refused" | "answered" | "expired" | "repeat";
  readonly value?: unknown;
  /** Id of the user. */
  readonly by?: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly comment?: string | undefined;
}

/** How a person or an event answered a wait, as events and records have it. Plain data. */
export interface DecisionRecord extends Pick<Waiting, "kind" | "what"> {
  readonly outcome: RecordedAnswer["outcome"];
  /** Id of the user who answered, where one is known. */
  readonly by?: string | undefined;
  /** Epoch milliseconds at which it was answered. */
  readonly answeredAt: number;
  /** Comment of the person. */
  readonly comment?: string | undefined;
}

/** How a run ended in this process. */
export interface RunEnding {
  readonly response: Response;
  /** What it waits for; empty: it has ended. */
  readonly waiting: readonly Waiting[];
  /** The router is closing: another process is to continue the run. */
  readonly isInterrupted: boolean;
  /** Milliseconds for which it has worked, in this process. */
  readonly activeMs: number;
}

/** The journal of one run in one process. No method throws unless its docs name an error. */
export interface RunJournal {
  /** Why the run must not begin: the journal cannot be written. */
  readonly refusal: MeshError | undefined;
  /** Replay: librarians are not called, so their time limits do not apply. */
  readonly isReplay?: true | undefined;
  /** For a run in a thread; rejects with a `MeshError` where the thread does not exist for the user. */
  readonly thread?: Promise<RunThread> | undefined;
  /** Resolves once the run survives its process; rejects where it cannot be recorded. */
  begun(): Promise<void>;
  /** In a fork: the query that replaces that of a hop. Called before `start`. */
  askedAs?(hop: JournaledHop): string | undefined;
  /** Called once for each hop whose librarian is to be called. */
  start(hop: JournaledHop): HopStart | undefined;
  /** @param stopped - What stopped it; its code may still run. */
  ended(hop: JournaledHop, response: Response, stopped: MeshError | undefined): void;
  /** It has ended without a response, because it waits: it is called again with the answer. */
  waited?(hop: JournaledHop): void;
  /** The same model, whose calls for a hop are recorded. */
  modelOf(hop: JournaledHop, ai: AIClient): AIClient;
  /**
   * Runs a step once, and gives what it returned: plain data.
   *
   * @returns An outcome that is not known is `waiting`.
   * @throws What the step throws; MeshError where it must not run.
   */
  step(
    hop: JournaledHop,
    name: string,
    work: (step: Pick<StepWork, "idempotencyKey">) => unknown,
    isIdempotent: boolean,
  ): Promise<{ readonly value: unknown } | { readonly waiting: Waiting }>;
  /** Opens a wait, unless it was answered. */
  wait(
    hop: JournaledHop,
    request: WaitRequest,
  ): { readonly answer: RecordedAnswer } | { readonly waiting: Waiting };
  /** The same each time this hop of this run calls its librarian. */
  idempotencyKeyOf(hop: JournaledHop): string;
  /** Resolves when the steps and the calls of models of a hop that are under way have ended; `undefined`: there are none. */
  untilIdle(hop: JournaledHop): Promise<void> | undefined;
  /** Resolves once everything is recorded, with the response that is given to the caller. Never rejects. */
  end(ending: RunEnding): Promise<Response>;
}

/** The request of a run, as a journal stores it. */
export interface JournaledRequest {
  readonly query: string;
  readonly to: string;
  readonly user: User | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Whether `metadata` counts as observed. */
  readonly observed: boolean;
  /** Milliseconds that the run has worked. */
  readonly timeoutMs: number;
  /** Options of the run that are plain data: `budget`, `caller`, `merge`, `thread`. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A new run. */
export interface JournaledRun {
  readonly id: string;
  readonly request: JournaledRequest;
  /** Stops it in this process, because another process owns it now. */
  stop(error: MeshError): void;
}

/** A run that continues, as its host sees it. */
export interface ContinuedRun {
  readonly id: string;
  /** Resolves with its response. Never rejects. */
  readonly response: Promise<Response>;
}

/** What a journal needs of a router. */
export interface JournalHost<Continued extends ContinuedRun = ContinuedRun> {
  /**
   * Runs the request again from its first hop, under the same id.
   *
   * @param journal - Called with the function that stops the run; returns the journal of the run.
   */
  continueRun(
    id: string,
    request: JournaledRequest,
    journal: (stop: JournaledRun["stop"]) => RunJournal,
  ): Continued;
}

/** Records runs: the value of the option `journal`. `createJournal` of `@constellation/journal` makes one. */
export interface MeshJournal {
  /** Called once, by the router that it is attached to. */
  join(host: JournalHost): void;
  /**
   * Opens its store, and takes over runs that no process owns. Runs may begin before. Rejects where it cannot be
   * opened.
   */
  open(): Promise<void>;
  /** A run begins. Never throws. */
  begin(run: JournaledRun): RunJournal;
  /**
   * Records an answer, and continues the run through the host.
   *
   * @throws MeshError `NOT_FOUND` where nothing waits for it, `UNAUTHORIZED` where the user may not answer,
   *   `INVALID_QUERY` for an answer of the wrong kind.
   */
  resume(runId: string, answer: WaitAnswer): Promise<ContinuedRun>;
  /** Writes what is left, and closes its store. Never rejects. */
  close(): Promise<void>;
}
