import { inspect } from "node:util";
import type { ErrorInfo, Response } from "@constellation/core";
import { contextFor, expect, expectError, withLibrarian } from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** Codes that fit a dependency that failed in an unforeseen way. */
const failureCodes = [
  "INTERNAL_ERROR",
  "DATA_SOURCE_ERROR",
  "SERVICE_UNAVAILABLE",
  "AI_UNAVAILABLE",
] as const;

/** A word in the exception of the dependency that must not appear in the response. */
const secret = "hunter2-c0ffee";

/** How a librarian fails. */
export const errorChecks: readonly LibrarianCheck[] = [
  {
    name: "error",
    part: "error",
    needs: "failing",
    title: "CORE-075 CORE-006 answers with a fitting error when what it depends on fails",
    run: (options) =>
      failed(options, (response) => {
        expectError(response, failureCodes, "with a failing dependency");
      }),
  },
  {
    name: "error-advice",
    part: "error",
    needs: "failing",
    title: "CORE-045 CORE-046 marks an error as recoverable or not, and suggests what to do",
    run: (options) => failed(options, ({ error }) => expectAdvice(error)),
  },
  {
    name: "error-leak",
    part: "error",
    needs: "failing",
    title: "CORE-057 does not repeat the text of an exception",
    run: (options) =>
      failed(options, (response) => {
        const said = inspect(response, { depth: 20, maxStringLength: null, maxArrayLength: null });
        expect(!said.includes(secret), "its response repeats the text of an exception", {
          actual: response,
        });
      }),
  },
  {
    name: "not-found",
    part: "error",
    needs: "unanswerable",
    title: "CORE-055 CORE-005 answers NOT_FOUND when it finds nothing",
    run: (options) =>
      withLibrarian(options, options.create, async (ask) => {
        const response = await ask(options.unanswerable ?? "", contextFor(options));
        expectError(response, ["NOT_FOUND"], "asked the unanswerable");
        expect(response.answer === undefined, "it answered what cannot be answered", {
          actual: response.answer,
        });
        expectAdvice(response.error);
      }),
  },
];

function failed(options: LibrarianSuiteOptions, look: (response: Response) => void): Promise<void> {
  const make = () => (options.failing ?? options.create)(new Error(`password=${secret}`));
  return withLibrarian(options, make, async (ask) => {
    look(await ask(options.query, contextFor(options)));
  });
}

function expectAdvice(error: ErrorInfo | undefined): void {
  expect(error !== undefined, "it gave no error");
  const { message, recoverable, suggestion } = error;
  expect(message.trim() !== "", "its error has a blank message");
  expect(typeof recoverable === "boolean", "its error does not say whether it is recoverable");
  expect(suggestion !== undefined && suggestion.trim() !== "", "its error has no suggestion");
  expect(suggestion !== message, "its suggestion is the message again", { actual: suggestion });
}
