import type { ZodType } from "zod";
import type { AIClient, Budget } from "./ai-client.js";
import type { AnswerEstimates, ProbeOptions } from "./answer-estimate.js";
import type { Delegate, LibrarianInfo, UnavailableDelegate } from "./librarian-info.js";
import { budgetOption, checkOptions } from "./option-checks.js";
import type { OptionTable } from "./option-table.js";
import type { PathEntry, RemoteCall, RemoteCallOptions } from "./remote-call.js";
import type { MergeStrategy, Progress, Response } from "./response.js";
import type { Observation } from "./take-data.js";
import type { Thread } from "./thread.js";
import type { TraceContext } from "./trace-context.js";
import { readUserLimits, type User, type UserLimits } from "./user.js";
import type {
  Approval,
  ApprovalRequest,
  ArrivedEvent,
  EventOptions,
  QuestionOptions,
  StepOptions,
  StepWork,
  UserAnswer,
} from "./waiting.js";

/**
 * What a caller may pass to a librarian that it calls directly, without a router: any of the fields, or none. What a
 * librarian gets from a router is a {@link HopContext}, with every field marked "Set by the router".
 */
export interface Context {
  /** The librarian that is called, with its description. Set by the router. */
  readonly librarian?: LibrarianInfo | undefined;
  /** The user on whose behalf the query is asked, with the rights that the librarians above left. */
  readonly user?: User | undefined;
  /** This hop's place in the trace; the caller's while no tracing SDK is registered. */
  readonly trace?: TraceContext | undefined;
  /** Ids called before this one on its path, oldest first. Empty on the first hop. Set by the router. */
  readonly delegationChain?: readonly string[] | undefined;
  /**
   * The path of this call through all meshes, this librarian last: what an adapter sends along to
   * another mesh. Set by the router.
   */
  readonly callPath?: readonly PathEntry[] | undefined;
  /**
   * Opens a call of another process or mesh: it gets a share of the hops and the budget that are left. For
   * adapters, which use it through `openCall` of `@constellation/transport/envelope`. Set by the router.
   */
  readonly openRemoteCall?: ((options?: RemoteCallOptions) => RemoteCall) | undefined;
  /** The only way to a model. Absent: answer without one. */
  readonly ai?: AIClient | undefined;
  /**
   * A model of the librarian's own, as `ai` is the run's: what it uses is reserved in the budget of the run, charged to it and
   * recorded. Set by the router.
   */
  readonly withinBudget?: ((client: AIClient) => AIClient) | undefined;
  /**
   * Librarians this hop may delegate to: declared in its `delegatesTo` where it has one, not on its path, not `down`
   * at their last health check, and allowed for the user; empty at the depth limit. Computed when read. Set by the
   * router.
   */
  readonly availableDelegates?: readonly Delegate[] | undefined;
  /**
   * Librarians that are missing from `availableDelegates` only because they are `down` or their breaker is open.
   * Computed when read. Set by the router.
   */
  readonly unavailableDelegates?: readonly UnavailableDelegate[] | undefined;
  /**
   * Data from the caller, with what earlier librarians added in `delegate.context`. Keys that the
   * router's `secrets` declare for this librarian are readable by name but not enumerable, so that copies and
   * serializations leave them out.
   */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Who observed an object or an array of this run: a librarian that was called in it and returned the
   * value in the `metadata` of its response (or in that of a branch), or a caller with `observed: true`.
   * An array counts as observed when its items do as well. `undefined` for claims: metadata of any other caller or
   * mesh, what is only in `delegate.context`, text, and every copy. Pass on the same object, in `delegate.context`,
   * `ask` or `metadata`: it stays observed. Set by the router.
   */
  readonly observed?: ((value: unknown) => Observation | undefined) | undefined;

  /** Aborts when the answer is not needed any more, with a `MeshError` as reason. Set by the router. */
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds after which an answer is too late. `Infinity`: no limit. Set by the router. */
  readonly deadline?: number | undefined;
  /** Milliseconds until `deadline`, 0 or more. Immune to changes of the clock. Set by the router. */
  readonly remainingMs?: (() => number) | undefined;
  /** Id of the run, the same for each of its hops. Set by the router. */
  readonly requestId?: string | undefined;
  /** The query as the caller asked it, before any librarian refined it. Set by the router. */
  readonly originalQuery?: string | undefined;
  /** The thread of the query, with its earlier turns. Absent: the query belongs to no thread. */
  readonly thread?: Thread | undefined;
  /** Place on the path, from 0. Set by the router. */
  readonly depth?: number | undefined;
  /**
   * Asks another librarian and returns its response, under the guards, the budget and the trace
   * of this run. Ends before this hop's deadline, and when this hop ends. Never rejects for anything
   * a librarian does; a wrong option throws `TypeError` or `RangeError`. Set by the router.
   */
  readonly ask?: ((query: string, options: DelegationOptions) => Promise<Response>) | undefined;
  /**
   * Asks available librarians how well they could answer a query, by their `canAnswer`: under the rights of this path,
   * without calling them. Rejects only with the signal's reason. Set by the router.
   */
  readonly probe?:
    | ((query: string, options?: ProbeOptions) => Promise<AnswerEstimates>)
    | undefined;
  /**
   * Reports progress to the caller, or streams a piece of the answer. Costs next to nothing while no
   * one listens. Set by the router.
   */
  readonly report?: ((progress: string | Progress) => void) | undefined;

  /**
   * The same for every call of the librarian for this hop, also after a crash: pass it to systems that recognise
   * repeated requests. Set by the router.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Does a piece of work once, such as a side effect or a random value, and returns its result: plain data.
   * With a journal, a run that continues gets the recorded value; where the process ended in between, the
   * run waits until someone reports what happened. Rejects as `work` does. Set by the router.
   */
  readonly step?:
    | (<Value>(
        name: string,
        work: (step: StepWork) => Value | Promise<Value>,
        options?: StepOptions,
      ) => Promise<Value>)
    | undefined;
  /**
   * Asks people for an approval. Until someone answers, the hop ends; when nothing else is active, the run ends too,
   * with `metadata.waiting`. Once someone has answered, the librarian is called again from its beginning, and gets
   * the answer here. Needs a journal. Set by the router.
   */
  readonly approve?: ((request: ApprovalRequest) => Promise<Approval>) | undefined;
  /** Asks a person, as `approve` does, for a value that passes a schema. Set by the router. */
  readonly askUser?:
    | (<Value>(
        question: string,
        schema: ZodType<Value>,
        options?: QuestionOptions,
      ) => Promise<UserAnswer<Value>>)
    | undefined;
  /** Waits, as `approve` does, for an event from outside. Set by the router. */
  readonly waitFor?: ((name: string, options?: EventOptions) => Promise<ArrivedEvent>) | undefined;
}

/** Fields of a context that a router always sets. */
type SetByRouter =
  | "librarian"
  | "withinBudget"
  | "delegationChain"
  | "availableDelegates"
  | "unavailableDelegates"
  | "metadata"
  | "observed"
  | "signal"
  | "deadline"
  | "remainingMs"
  | "requestId"
  | "originalQuery"
  | "depth"
  | "ask"
  | "probe"
  | "report"
  | "idempotencyKey"
  | "step"
  | "approve"
  | "askUser"
  | "waitFor";

type WholeFields = { readonly [Name in SetByRouter]-?: NonNullable<Context[Name]> };

/**
 * What a router passes to a librarian: a context with every field that the router sets.
 *
 * Read-only: a write throws. Every hop gets a new one. `{ ...context }` copies all fields.
 */
export interface HopContext extends Omit<Context, SetByRouter>, WholeFields {}

/** How `context.ask` calls another librarian. */
export interface DelegationOptions {
  /** Id of the librarian to ask. */
  readonly to: string;
  /** Merged over `metadata` for that librarian and those below it. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Maximum time for it, in milliseconds: 1 to 2147483647, or `Infinity`. Limited by what remains of this hop, minus
   * a reserve.
   *
   * @default Infinity
   */
  readonly timeoutMs?: number | undefined;
  /** Restricts the teams and roles of the user for it and the librarians below it. Default: no restriction. */
  readonly user?: UserLimits | undefined;
  /** Merges a fan-out it answers with, where the response names no strategy itself. */
  readonly merge?: MergeStrategy | undefined;
  /** Maximum it may spend, limited by what remains of the run. */
  readonly budget?: Budget | undefined;
}

/** The options of {@link DelegationOptions}. */
export const delegationTable = {
  to: { kind: "text", isRequired: true },
  context: { kind: "object" },
  user: { kind: "checked", check: readLimits },
  timeoutMs: { kind: "duration", default: Number.POSITIVE_INFINITY },
  merge: { kind: "merge" },
  budget: budgetOption,
} as const satisfies OptionTable<DelegationOptions>;

/**
 * Reads options of `context.ask`, each once.
 *
 * @returns A copy that cannot change any more; the router takes `context` before anything waits.
 * @throws TypeError or RangeError that names the key and the value.
 */
export function checkDelegationOptions(options: unknown): DelegationOptions {
  return checkOptions<DelegationOptions>("options", options, delegationTable);
}

function readLimits(at: string, user: unknown): unknown {
  const limits = readUserLimits(user);
  if ("problem" in limits) throw new TypeError(`${at}${limits.problem}.`);
  return limits.part;
}
