import { answerChecks } from "./answer-checks.js";
import { contextChecks } from "./context-checks.js";
import { delegationChecks } from "./delegation-checks.js";
import { endingChecks } from "./ending-checks.js";
import { errorChecks } from "./error-checks.js";
import type { LibrarianCheck } from "./librarian-check.js";
import { optionChecks } from "./option-checks.js";
import { secretChecks } from "./secret-checks.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** All checks of a librarian, in the order in which they are reported. */
export const librarianChecks: readonly LibrarianCheck[] = [
  ...answerChecks,
  ...contextChecks,
  ...errorChecks,
  ...delegationChecks,
  ...endingChecks,
  ...optionChecks,
  ...secretChecks,
];

/** Result of one check. */
export interface CheckResult {
  readonly name: string;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** What the librarian did instead, or which option the check lacks. */
  readonly reason?: string | undefined;
}

/**
 * Selects the checks for `options`, without those of the parts in `without`.
 *
 * @throws TypeError when `without` leaves none.
 */
export function checksFor({ without = [] }: LibrarianSuiteOptions): readonly LibrarianCheck[] {
  const checks = librarianChecks.filter(({ part }) => !without.includes(part));
  if (checks.length === 0) throw new TypeError("without: expected at least one remaining check.");
  return checks;
}

/** Why a check cannot run; `undefined` when it can. */
export function reasonToSkip(
  { needs }: LibrarianCheck,
  options: LibrarianSuiteOptions,
): string | undefined {
  if (needs === undefined || options[needs] !== undefined) return undefined;
  const { what, otherwise } = needed[needs];
  const instead = otherwise === undefined ? "" : `; ${otherwise}`;
  return `it applies with \`${needs}\`, ${what}${instead}`;
}

/** What a check applies to, by the option that it needs, and how to exclude it. */
const needed: Readonly<
  Record<
    NonNullable<LibrarianCheck["needs"]>,
    { readonly what: string; readonly otherwise?: string }
  >
> = {
  unanswerable: { what: "a query of its domain for which it finds nothing" },
  outOfDomain: {
    what: "a query of another librarian",
    otherwise: 'where it never delegates, say so: without: ["delegation"]',
  },
  failing: { what: "the librarian with a dependency that fails" },
  hanging: { what: "the librarian with a dependency that never answers" },
  withOptions: {
    what: "the librarian with other options",
    otherwise: 'where it has none, say so: without: ["options"]',
  },
  quoting: {
    what: "the librarian over logs or alerts with this text",
    otherwise: 'where it repeats none, say so: without: ["secrets"]',
  },
};

/**
 * Checks a librarian without a test runner, one check after the other.
 *
 * @returns A result for each check, in the order of {@link librarianChecks}. Never rejects for
 *   anything the librarian does.
 *
 * @example
 * ```ts
 * const results = await checkLibrarian({ create: () => greeter, query: "hello" });
 * const failed = results.filter(({ outcome }) => outcome === "failed");
 * ```
 */
export async function checkLibrarian(
  options: LibrarianSuiteOptions,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checksFor(options)) {
    const { name, title } = check;
    const skipped = reasonToSkip(check, options);
    if (skipped !== undefined) {
      results.push({ name, title, outcome: "skipped", reason: skipped });
      continue;
    }
    try {
      await check.run(options);
      results.push({ name, title, outcome: "passed" });
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      results.push({ name, title, outcome: "failed", reason });
    }
  }
  return results;
}
