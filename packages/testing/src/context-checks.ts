import { isDeepStrictEqual } from "node:util";
import type { Context, Response } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { aiFailure } from "./ai-script.js";
import { type Ask, contextFor, expect, withLibrarian } from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";
import { scriptedAI } from "./scripted-ai.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** Codes of librarians that fail without a part of their context. */
const failureCodes: readonly (string | undefined)[] = ["INTERNAL_ERROR", "AI_UNAVAILABLE"];

/** Checks of how a librarian uses its query and its context. */
export const contextChecks: readonly LibrarianCheck[] = [
  {
    name: "promise",
    part: "context",
    title: "CORE-002 CORE-006 returns a promise at once and never rejects, also for blank queries",
    run: (options) =>
      withLibrarian(options, options.create, async (ask) => {
        for (const query of ["", " \n", options.query]) await ask(query, contextFor(options));
      }),
  },
  {
    name: "query-alone",
    part: "context",
    title: "CORE-004 works when it is called with the query alone",
    run: (options) => works(options, (ask) => ask(options.query), "without a context"),
  },
  {
    name: "empty-context",
    part: "context",
    title: "CORE-010 works with an empty context",
    run: (options) => works(options, (ask) => ask(options.query, {}), "with an empty context"),
  },
  {
    name: "no-ai",
    part: "no-ai",
    title: "CORE-078 works without a model",
    run: (options) =>
      works(options, (ask) => ask(options.query, contextFor(options)), "without a model"),
  },
  {
    name: "failing-ai",
    part: "no-ai",
    title: "CORE-078 works when the model fails",
    run: (options) =>
      works(
        options,
        (ask) => ask(options.query, contextFor(options, { ai: scriptedAI(() => aiFailure()) })),
        "with a model that fails",
      ),
  },
  {
    name: "read-only",
    part: "context",
    title: "CORE-018 leaves its context as it was",
    async run(options) {
      await works(
        options,
        (ask) => ask(options.query, deepFreeze(filled(options))),
        "with a frozen context",
      );
      await withLibrarian(options, options.create, async (ask) => {
        const context = filled(options);
        const before = plainCopy(context);
        await ask(options.query, context);
        expect(isDeepStrictEqual(plainCopy(context), before), "it changed its context", {
          actual: plainCopy(context),
          expected: before,
        });
      });
    },
  },
  {
    name: "no-state",
    part: "context",
    title: "gives the same response again, whatever it was asked in between",
    run: (options) =>
      withLibrarian(options, options.create, async (ask) => {
        const first = await ask(options.query, contextFor(options));
        const another = { user: { id: "another" }, metadata: { other: true } };
        await ask(options.unanswerable ?? "something else", contextFor(options, another));
        const again = await ask(options.query, contextFor(options));
        expect(
          isDeepStrictEqual(withoutMetadata(again), withoutMetadata(first)),
          "it gave another response to the same query",
          { actual: again, expected: first },
        );
      }),
  },
];

/** Checks that a call does not fail. */
function works(
  options: LibrarianSuiteOptions,
  call: (ask: Ask) => Promise<Response>,
  when: string,
): Promise<void> {
  return withLibrarian(options, options.create, async (ask) => {
    const { error } = await call(ask);
    expect(!failureCodes.includes(error?.code), `${when}, it gave error ${error?.code}`, {
      actual: error,
    });
  });
}

/** A context with every field that a librarian could write to, as copies that are not frozen. */
function filled(options: LibrarianSuiteOptions): Context {
  const {
    user = { id: "reader", teams: ["readers"] },
    metadata,
    availableDelegates = [{ id: "another", description: "is there", capabilities: ["idle"] }],
  } = options.context ?? {};
  return {
    ...contextFor(options),
    user: plainCopy(user) as Context["user"],
    metadata: { nested: { list: [1, 2] }, ...(plainCopy(metadata) as Context["metadata"]) },
    delegationChain: ["previous"],
    availableDelegates: plainCopy(availableDelegates) as Context["availableDelegates"],
  };
}

/** Copies objects and arrays; everything else, instances of classes too, stays itself. */
function plainCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCopy);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainCopy(item)]));
}

function deepFreeze<T>(value: T): T {
  if (Array.isArray(value) || isPlain(value)) {
    for (const item of Object.values(value)) deepFreeze(item);
    Object.freeze(value);
  }
  return value;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** Metadata may hold times and counts, which differ. */
function withoutMetadata({ metadata: _metadata, ...response }: Response): Response {
  return response;
}
