import type {
  Context,
  DelegationOptions,
  HopContext,
  MeshLibrarian,
  Progress,
  Response,
} from "@constellation/core";
import {
  cancelledError,
  deadlineError,
  inputLimits,
  MeshError,
  maxTimerMs,
  withDeadline,
} from "@constellation/core";
import {
  checkDelegationOptions,
  DataScope,
  validateGiven,
  withoutJournal,
} from "@constellation/core/checks";

/** What a {@link testContext} holds: any field of a context, and the answers to its `ask`. */
export interface TestContextOptions extends Context {
  /**
   * Answers of `ask`, by id: a response, or a librarian that creates one. Any other id is
   * `DELEGATION_FAILED` with reason `unknown-librarian`, as with a router.
   *
   * @default {}
   */
  readonly answers?: Readonly<Record<string, Response | MeshLibrarian>> | undefined;
}

/** A context for a test. `{ ...context }` copies the fields of a context only. */
export interface TestContext extends HopContext {
  /** Calls of `ask`, oldest first. */
  readonly asked: readonly AskedQuery[];
  /** Reported progress, oldest first. */
  readonly reported: readonly (string | Progress)[];
  /**
   * Aborts `signal` as a router does when the caller cancels: `TIMEOUT`, reason `cancelled`.
   *
   * @throws TypeError when the signal came from the test: abort that one yourself.
   */
  cancel(): void;
}

/** One call of a test context's `ask`. */
export interface AskedQuery {
  readonly query: string;
  readonly options: DelegationOptions;
}

/**
 * Makes a context for calling a librarian directly, without a router.
 *
 * It is read-only like a router's: a write throws. It holds what the first hop of a run would see: an empty
 * path, no delegates, no metadata, no user, no model, no deadline. With a
 * `deadline` its signal aborts when that passes, by a timer that keeps no process alive. Of the
 * options of `ask`, `timeoutMs`, `merge` and `budget` are recorded and have no effect. `observed` holds the
 * `metadata` of `answers` by librarian, unless you pass another value.
 *
 * @param overrides - Fields that replace the defaults. Objects such as `metadata` are not copied.
 *
 * @example
 * ```ts
 * const context = testContext({ answers: { docs: { answer: "Restart it." } } });
 * const response = await frontDesk("what now?", context);
 * expect(context.asked[0]?.options.to).toBe("docs");
 * ```
 */
export function testContext(overrides: TestContextOptions = {}): TestContext {
  const { answers = {}, ...fields } = overrides;
  const asked: AskedQuery[] = [];
  const reported: (string | Progress)[] = [];
  const scope = new DataScope();
  const deadline = fields.deadline ?? Number.POSITIVE_INFINITY;
  const own = fields.signal === undefined ? new AbortController() : undefined;
  const signal = fields.signal ?? own?.signal ?? new AbortController().signal;
  if (own !== undefined) abortAt(own, deadline);
  const durable = withoutJournal("librarian-under-test", signal);

  const context: HopContext = {
    user: fields.user,
    trace: fields.trace,
    callPath: fields.callPath,
    openRemoteCall: fields.openRemoteCall,
    ai: fields.ai,
    withinBudget: fields.withinBudget ?? ((client) => client),
    librarian: fields.librarian ?? { id: "librarian-under-test", description: "is being tested" },
    delegationChain: fields.delegationChain ?? Object.freeze([]),
    availableDelegates: fields.availableDelegates ?? Object.freeze([]),
    unavailableDelegates: fields.unavailableDelegates ?? Object.freeze([]),
    metadata: fields.metadata ?? Object.freeze({}),
    requestId: fields.requestId ?? "test-run",
    originalQuery: fields.originalQuery ?? "",
    depth: fields.depth ?? 0,
    signal,
    deadline,
    observed: fields.observed ?? ((value) => scope.observed(value)),
    idempotencyKey: fields.idempotencyKey ?? durable.idempotencyKey,
    step: fields.step ?? durable.step,
    approve: fields.approve ?? durable.approve,
    askUser: fields.askUser ?? durable.askUser,
    waitFor: fields.waitFor ?? durable.waitFor,
    remainingMs: fields.remainingMs ?? (() => Math.max(0, deadline - Date.now())),
    probe: fields.probe ?? (() => Promise.resolve(new Map())),
    ask: (query, options) => {
      checkDelegationOptions(options);
      asked.push({ query, options });
      return fields.ask?.(query, options) ?? answerQuery(answers, query, options, context, scope);
    },
    report: (progress) => {
      reported.push(progress);
      fields.report?.(progress);
    },
  };
  const forTheTest = {
    asked: { value: asked },
    reported: { value: reported },
    cancel: {
      value: () => {
        if (own === undefined)
          throw new TypeError("cancel: the test passed its own signal. Abort that one instead.");
        own.abort(cancelledError());
      },
    },
  };
  // Both halves of a TestContext are put together here.
  return Object.freeze(Object.defineProperties(context, forTheTest)) as TestContext;
}

/** Aborts when a moment passes; at once when it has. Does nothing for `Infinity`. */
function abortAt(controller: AbortController, deadline: number): void {
  if (deadline === Number.POSITIVE_INFINITY) return;
  const remaining = deadline - Date.now();
  if (remaining <= 0) controller.abort(deadlineError());
  else {
    setTimeout(() => controller.abort(deadlineError()), Math.min(remaining, maxTimerMs)).unref();
  }
}

async function answerQuery(
  answers: NonNullable<TestContextOptions["answers"]>,
  query: string,
  { to, context: added }: DelegationOptions,
  parent: HopContext,
  dataScope: DataScope,
): Promise<Response> {
  const { librarian, delegationChain = [], depth = 0, metadata, availableDelegates = [] } = parent;
  const { capabilities = [] } = availableDelegates.find(({ id }) => id === to) ?? {};
  const contextBelow = () =>
    Object.freeze({
      ...parent,
      librarian: { id: to },
      delegationChain: [...delegationChain, librarian?.id ?? "librarian-under-test"],
      depth: depth + 1,
      metadata: Object.freeze({ ...metadata, ...added }),
    });
  try {
    if (typeof query !== "string" || query.trim() === "") {
      throw new MeshError("INVALID_QUERY", "The query is blank.");
    }
    const answer = Object.hasOwn(answers, to) ? answers[to] : undefined;
    if (answer === undefined) throw unknownLibrarian(to);
    const returned = await withDeadline({ signal: parent.signal }, async () =>
      typeof answer === "function" ? answer(query, contextBelow()) : answer,
    );
    const checked = validateGiven(returned, inputLimits, {
      dataScope,
      observe: () => ({ by: "librarian", librarian: to, capabilities, at: Date.now() }),
    });
    if (checked.valid) return checked.response;
    throw new MeshError("INTERNAL_ERROR", `Librarian "${to}" returned no valid response.`, {
      reason: "invalid-response",
      details: { problem: checked.problem },
    });
  } catch (thrown) {
    return { error: { librarian: to, ...MeshError.from(thrown, to).toInfo() } };
  }
}

function unknownLibrarian(to: string): MeshError {
  return new MeshError("DELEGATION_FAILED", `No librarian has the id "${to}".`, {
    reason: "unknown-librarian",
  });
}
