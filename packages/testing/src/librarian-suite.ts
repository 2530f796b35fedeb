import { getTimeoutMs } from "./conformance.js";
import { checksFor, reasonToSkip } from "./librarian-checks.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** The part of a test runner that the suite needs: Vitest's, or that of `node:test`. */
export interface SuiteRunner {
  readonly describe: (title: string, register: () => void) => unknown;
  readonly it: {
    (title: string, test: () => Promise<void>, timeoutMs?: number): unknown;
    readonly skip: (title: string, test: () => Promise<void>) => unknown;
  };
}

/**
 * Vitest is an optional peer: it is loaded where it runs, and the rest of the kit does without.
 * It must be loaded before the suite is registered synchronously; hence the top-level await.
 */
const vitest: SuiteRunner | undefined =
  process.env.VITEST === undefined ? undefined : await import("vitest").catch(() => undefined);

/** A check makes several calls, each with a time limit of its own. */
const callsPerCheck = 5;

/**
 * Registers the tests that every librarian must pass, under "behaves like a librarian". Titles name
 * the requirements they prove. A check that needs a missing option is not run, and its title says what it applies to.
 *
 * @param runner - Where the tests go. Vitest where it runs.
 * @throws TypeError when there is no Vitest and no `runner`.
 *
 * @example
 * ```ts
 * describe("createK8sLibrarian", () => {
 *   itBehavesLikeALibrarian({
 *     create: () => createK8sLibrarian({ pods: { list: async () => pods } }),
 *     query: "which pods are unhealthy?",
 *     unanswerable: "what is wrong with pod no one-has?",
 *     outOfDomain: { query: "how do I renew a certificate?", delegate: { id: "docs", description: "Answers from runbooks: certificates." } },
 *     failing: (thrown) => createK8sLibrarian({ pods: { list: async () => { throw thrown; } } }),
 *     hanging: () => createK8sLibrarian({ pods: { list: () => new Promise(() => {}) } }),
 *   });
 * });
 * ```
 */
export function itBehavesLikeALibrarian(
  options: LibrarianSuiteOptions,
  runner: SuiteRunner | undefined = vitest,
): void {
  if (runner === undefined) {
    throw new TypeError("runner: expected { describe, it }, since Vitest is not running.");
  }
  const { describe, it } = runner;
  describe("behaves like a librarian", () => {
    for (const check of checksFor(options)) {
      const skipped = reasonToSkip(check, options);
      const test = () => check.run(options);
      if (skipped === undefined) it(check.title, test, getTimeoutMs(options) * callsPerCheck);
      else it.skip(`${check.title} (not run: ${skipped})`, test);
    }
  });
}
