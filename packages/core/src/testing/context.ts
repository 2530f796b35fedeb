import { cancelledError, deadlineError } from "../authoring/abort-error.js";
import { withDeadline } from "../authoring/with-deadline.js";
import type { Context, DelegationOptions } from "../contract/context.js";
import { checkDelegationOptions } from "../contract/delegation-options.js";
import type { Librarian } from "../contract/librarian.js";
import { MeshError } from "../contract/mesh-error.js";
import { maxTimerMs } from "../contract/option-checks.js";
import type { Progress } from "../contract/progress.js";
import type { Response } from "../contract/response.js";
import { validateResponse } from "../contract/validate-response.js";

/** What a {@link testContext} holds: any field of a context, and the answers to its `ask`. */
export interface TestContextOptions extends Context {
  /**
   * Who answers `ask`, by id: a response, or a librarian that makes one. Any other id is
   * `DELEGATION_FAILED` with reason `unknown-librarian`, as with a router.
   *
   * @default {}
   */
  readonly answers?: Readonly<Record<string, Response | Librarian>> | undefined;
}

/** A context for a test. `{ ...context }` copies the fields of a context and not those of the test. */
export interface TestContext extends Context {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly remainingMs: () => number;
  readonly ask: NonNullable<Context["ask"]>;
  readonly report: NonNullable<Context["report"]>;
  /** What was asked through `ask`, oldest first. */
  readonly asked: readonly AskedQuery[];
  /** What was reported, oldest first. */
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
 * Read-only as a router's: a write throws. It holds what the first hop of a run would see: an empty
 * path, no delegates, no metadata, no user, no model, no deadline. With a
 * `deadline` its signal aborts when that passes, by a timer that keeps no process alive. Of the
 * options of `ask`, `timeoutMs`, `merge` and `budget` are recorded and have no effect.
 *
 * @param overrides - Fields that say something else. `metadata` and the like are not copied.
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
  const deadline = fields.deadline ?? Number.POSITIVE_INFINITY;
  const own = fields.signal === undefined ? new AbortController() : undefined;
  const signal = fields.signal ?? own?.signal ?? new AbortController().signal;
  if (own !== undefined) abortAt(own, deadline);

  const context: Context = {
    librarian: { id: "librarian-under-test", description: "is being tested" },
    user: undefined,
    trace: undefined,
    callPath: undefined,
    openRemoteCall: undefined,
    delegationChain: Object.freeze([]),
    ai: undefined,
    availableDelegates: Object.freeze([]),
    unavailableDelegates: Object.freeze([]),
    metadata: Object.freeze({}),
    requestId: "test-run",
    originalQuery: undefined,
    depth: 0,
    ...fields,
    signal,
    deadline,
    remainingMs: fields.remainingMs ?? (() => Math.max(0, deadline - Date.now())),
    ask: (query, options) => {
      checkDelegationOptions(options);
      asked.push({ query, options });
      return fields.ask?.(query, options) ?? answerOf(answers, query, options, context);
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
        if (own === undefined) throw new TypeError("cancel: the signal is yours; abort it there.");
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

async function answerOf(
  answers: NonNullable<TestContextOptions["answers"]>,
  query: string,
  { to, context: added }: DelegationOptions,
  parent: Context,
): Promise<Response> {
  const { librarian, delegationChain = [], depth = 0, metadata } = parent;
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
    const checked = validateResponse(returned);
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
