import { inspect } from "node:util";
import { expect } from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** How a factory refuses wrong options. */
export const optionChecks: readonly LibrarianCheck[] = [
  {
    name: "option-type",
    part: "options",
    needs: "withOptions",
    title: "refuses an option of the wrong type with TypeError, naming it and the value",
    async run(options) {
      await refuses(options, { timeoutMs: "10s" }, TypeError, ["timeoutMs", "10s"]);
      await refuses(options, { id: 5 }, TypeError, ["id", "5"]);
    },
  },
  {
    name: "option-range",
    part: "options",
    needs: "withOptions",
    title: "refuses an option out of range with RangeError, naming it and the value",
    async run(options) {
      await refuses(options, { timeoutMs: 0 }, RangeError, ["timeoutMs", "0"]);
      await refuses(options, { timeoutMs: Number.NaN }, RangeError, ["timeoutMs", "NaN"]);
      await refuses(options, { id: "Not An Id" }, RangeError, ["id", "Not An Id"]);
    },
  },
  {
    name: "option-unknown",
    part: "options",
    needs: "withOptions",
    title: "refuses an option that it does not know with TypeError, naming those it knows",
    run: (options) => refuses(options, { tiemoutMs: 5 }, TypeError, ["tiemoutMs", "timeoutMs"]),
  },
];

async function refuses(
  { withOptions, create }: LibrarianSuiteOptions,
  wrong: Readonly<Record<string, unknown>>,
  Kind: typeof TypeError | typeof RangeError,
  named: readonly string[],
): Promise<void> {
  const shown = inspect(wrong);
  let thrown: unknown;
  try {
    await (withOptions ?? create)(wrong);
  } catch (caught) {
    thrown = caught;
  }
  expect(thrown !== undefined, `it accepts ${shown}`);
  expect(thrown instanceof Kind, `given ${shown}, it throws another error than ${Kind.name}`, {
    actual: thrown,
    expected: Kind.name,
  });
  for (const part of named) {
    expect(thrown.message.includes(part), `given ${shown}, its error does not name ${part}`, {
      actual: thrown.message,
      expected: part,
    });
  }
}
