import { AssertionError } from "node:assert";
import type { Context, Librarian, Response } from "@constellation/core";
import { MeshError, validateResponse } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { type TestContext, type TestContextOptions, testContext } from "./context.js";
import type { LibrarianSuiteOptions, LibrarianUnderTest } from "./suite-options.js";

/** Read before a test can install a fake clock: the suite uses real time. */
const { setTimeout, clearTimeout } = globalThis;

const defaultTimeoutMs = 10_000;

/** How long one call may take, in milliseconds. */
export function getTimeoutMs({ timeoutMs = defaultTimeoutMs }: LibrarianSuiteOptions): number {
  return timeoutMs;
}

/** @throws AssertionError with this message unless the condition holds. */
export function expect(
  condition: boolean,
  message: string,
  values: Compared = {},
): asserts condition {
  if (!condition) throw new AssertionError({ message, stackStartFn: expect, ...values });
}

/** What was compared: test runners show the difference. */
interface Compared {
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** The context of a check: the suite's own, what the options add, then `overrides`. */
export function contextFor(
  { context }: LibrarianSuiteOptions,
  overrides: TestContextOptions = {},
): TestContext {
  return testContext({ ...context, ...overrides });
}

/** A call of the librarian under test, as a check makes it. */
export type Ask = (query: string, context?: Context) => Promise<Response>;

/**
 * Creates the librarian, starts it, runs a check on it, and closes it, also when the check fails.
 *
 * @param check - Its `ask` also checks that the librarian returned a promise, settled in time, did not
 *   reject, and gave a valid response. It resolves with that response unchanged.
 */
export async function withLibrarian(
  options: LibrarianSuiteOptions,
  make: () => LibrarianUnderTest | Promise<LibrarianUnderTest>,
  check: (ask: Ask) => Promise<void>,
): Promise<void> {
  const made = await make();
  const lifetime = new AbortController();
  const definition = typeof made === "function" ? undefined : made;
  const librarian = typeof made === "function" ? made : made.librarian;
  const started = await awaitStart(definition?.start?.(lifetime.signal));
  try {
    await check(async (query, context) => {
      if (started !== undefined) return { error: started.toInfo() };
      return validCall(librarian, query, context, getTimeoutMs(options));
    });
  } finally {
    lifetime.abort(new MeshError("TIMEOUT", "The check is over.", { reason: "cancelled" }));
    if (started === undefined) await definition?.close?.(new AbortController().signal);
  }
}

/** A failed start has the same effect as in a router: every hop is `SERVICE_UNAVAILABLE`. */
async function awaitStart(start: Promise<void> | undefined): Promise<MeshError | undefined> {
  try {
    await start;
    return undefined;
  } catch (thrown) {
    return new MeshError("SERVICE_UNAVAILABLE", "The librarian did not start.", { cause: thrown });
  }
}

async function validCall(
  librarian: Librarian,
  query: string,
  context: Context | undefined,
  timeoutMs: number,
): Promise<Response> {
  const returned = callOnce(librarian, query, context);
  expect(
    isRecord(returned) && typeof returned.then === "function",
    "it returned something that is not a promise",
    { actual: returned },
  );
  const response = await settled(returned, timeoutMs);
  const checked = validateResponse(response);
  expect(checked.valid, `its response is not valid: ${checked.valid ? "" : checked.problem}`, {
    actual: response,
  });
  return response as Response; // as it came, and valid
}

function callOnce(librarian: Librarian, query: string, context: Context | undefined): unknown {
  try {
    return context === undefined ? librarian(query) : librarian(query, context);
  } catch (thrown) {
    return expect(false, "it threw instead of returning a promise", { actual: thrown });
  }
}

async function settled(promise: unknown, timeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = Symbol("late");
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, late);
  });
  try {
    const first = await Promise.race([promise, timeout]);
    expect(first !== late, `it did not settle within ${timeoutMs} ms`);
    return first;
  } catch (thrown) {
    if (thrown instanceof AssertionError) throw thrown;
    return expect(false, "it rejected instead of resolving with an error", { actual: thrown });
  } finally {
    clearTimeout(timer);
  }
}

/** Waits in real time, fake clock or not. */
export function realPause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** @throws AssertionError unless the response has an error with one of these codes. */
export function expectError(
  { answer, error }: Response,
  codes: readonly string[],
  when: string,
): void {
  const wanted = codes.join(", ");
  expect(error !== undefined, `${when}, it gave no error; expected ${wanted}`, {
    actual: answer,
    expected: wanted,
  });
  expect(codes.includes(error.code), `${when}, its error is ${error.code}; expected ${wanted}`, {
    actual: error.code,
    expected: wanted,
  });
}
