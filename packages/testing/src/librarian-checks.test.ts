import { librarianOptionFields, parseOptions, redactSecrets } from "@constellation/authoring";
import type { Context, Librarian, Response } from "@constellation/core";
import { createRouter, MeshError, withDeadline } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { chaos } from "./chaos.js";
import type { LibrarianCheck } from "./librarian-check.js";
import { checkLibrarian, checksFor, librarianChecks } from "./librarian-checks.js";
import { malformedKinds } from "./malformed.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** What the librarian of these tests reads. */
type Shelf = (query: string) => Promise<string | undefined>;

const notes: Shelf = async (query) =>
  query === "how do I restart it?" ? "Run `restart <service>`, then wait." : undefined;

/** A librarian that does everything right. */
function createNotesLibrarian(shelf: Shelf): Librarian {
  return async (query, context) => {
    try {
      const note = await withDeadline({ signal: context?.signal }, () => shelf(query));
      if (note !== undefined) {
        return { answer: note, sources: [{ name: "notes.md" }], confidence: 0.9 };
      }
      const expert = query.includes("pods")
        ? context?.availableDelegates?.find(({ capabilities }) =>
            capabilities?.includes("kubernetes"),
          )
        : undefined;
      if (expert !== undefined) {
        return { delegate: { to: expert.id, context: { reason: "It knows about pods." } } };
      }
      throw new MeshError("NOT_FOUND", "No note is about that.", { reason: "no-information" });
    } catch (thrown) {
      return { error: MeshError.from(thrown, "notes").toInfo() };
    }
  };
}

const good = createNotesLibrarian(notes);
const notesOptions = z.strictObject(librarianOptionFields);

const goodOptions: LibrarianSuiteOptions = {
  create: () => good,
  query: "how do I restart it?",
  unanswerable: "who painted it?",
  outOfDomain: {
    query: "which pods are down?",
    delegate: { id: "k8s", description: "Reads a cluster.", capabilities: ["kubernetes"] },
  },
  failing: (thrown) =>
    createNotesLibrarian(async () => {
      throw thrown;
    }),
  hanging: () => createNotesLibrarian(() => new Promise(() => {})),
  withOptions(options) {
    parseOptions(notesOptions, options);
    return good;
  },
  quoting: (text) => createNotesLibrarian(async () => redactSecrets(text)),
  timeoutMs: 1_000,
};

/** Names of the checks that a librarian fails. */
async function failuresOf(overrides: Partial<LibrarianSuiteOptions>): Promise<readonly string[]> {
  const results = await checkLibrarian({ ...goodOptions, ...overrides });
  return results.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
}

/** The good librarian, with its answers changed. */
function answering(change: (response: Response, context?: Context) => Response): Librarian {
  return async (query, context) => {
    const response = await good(query, context);
    return response.answer === undefined ? response : change(response, context);
  };
}

/** The good librarian, with something done before it. */
function after(first: (query: string, context: Context | undefined) => void): Librarian {
  return async (query, context) => {
    first(query, context);
    return good(query, context);
  };
}

describe("librarianChecks", () => {
  it("all pass on a librarian that does everything right", async () => {
    const results = await checkLibrarian(goodOptions);

    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(results).toHaveLength(librarianChecks.length);
  });

  it("all pass on a fake clock too, which stands still", async () => {
    vi.useFakeTimers();
    try {
      expect(await failuresOf({})).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("all pass on the same librarian as a definition", async () => {
    const create = () => ({ id: "notes", description: "reads notes", librarian: good });

    expect(await failuresOf({ create })).toEqual([]);
  });

  it("have names of their own, and titles that are sentences behind the requirements they prove", () => {
    const names = librarianChecks.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    for (const { title } of librarianChecks) expect(title).toMatch(/^(?:CORE-\d{3} )*[a-z]/);
  });

  it("cite every requirement about the tests of a librarian", () => {
    const titles = librarianChecks.map(({ title }) => title).join("\n");

    for (const id of ["CORE-074", "CORE-075", "CORE-076", "CORE-077", "CORE-078"]) {
      expect(titles).toContain(id);
    }
  });
});

/** Options that make another librarian than `create` does. */
const usesOther: ReadonlySet<LibrarianCheck["needs"]> = new Set([
  "failing",
  "hanging",
  "withOptions",
  "quoting",
] as const);

/** What is thrown where no one should read it. */
const secretive = "the shelf fell";
const bad: Record<string, { overrides: Partial<LibrarianSuiteOptions>; fails: readonly string[] }> =
  {
    "gives an error where it could answer": {
      overrides: { create: () => answering(() => ({ error: nothing() })) },
      fails: ["answers", "confidence", "length", "markdown", "sources", "sources-ranked"],
    },
    "adds an error to its answer": {
      overrides: { create: () => answering((response) => ({ ...response, error: nothing() })) },
      fails: ["answers"],
    },
    "gives no confidence": {
      overrides: { create: () => answering(({ confidence: _, ...response }) => response) },
      fails: ["confidence"],
    },
    "does not say that a doubtful answer is partial": {
      overrides: { create: () => answering((response) => ({ ...response, confidence: 0.5 })) },
      fails: ["confidence"],
    },
    "cites nothing": {
      overrides: { create: () => answering((response) => ({ ...response, sources: [] })) },
      fails: ["sources"],
    },
    "cites a source twice": {
      overrides: {
        create: () =>
          answering((response) => ({ ...response, sources: [{ name: "a" }, { name: "a" }] })),
      },
      fails: ["sources-ranked"],
    },
    "cites the least relevant source first": {
      overrides: {
        create: () =>
          answering((response) => ({
            ...response,
            sources: [
              { name: "a", relevance: 0.2 },
              { name: "b", relevance: 0.9 },
            ],
          })),
      },
      fails: ["sources-ranked"],
    },
    "answers at great length": {
      overrides: {
        create: () => answering((response) => ({ ...response, answer: "word ".repeat(1_000) })),
      },
      fails: ["length"],
    },
    "answers in HTML": {
      overrides: {
        create: () => answering((response) => ({ ...response, answer: "<b>Restart</b> it." })),
      },
      fails: ["markdown"],
    },
    "throws instead of returning a promise for a blank query": {
      overrides: {
        create: () => (query, context) => {
          if (query === "") throw new Error(secretive);
          return good(query, context);
        },
      },
      fails: ["promise"],
    },
    "returns a bare response": {
      overrides: { create: () => (() => ({ answer: "bare" })) as unknown as Librarian },
      fails: allNamed(({ needs }) => !usesOther.has(needs)),
    },
    "cannot do without a context": {
      overrides: {
        create: () =>
          after((_query, context) => {
            if (context === undefined) throw new Error(secretive);
          }),
      },
      fails: ["query-alone"],
    },
    "hides that it cannot do without a signal": {
      overrides: {
        create: () => async (query, context) => {
          if (context?.signal === undefined) return { error: internal() };
          return good(query, context);
        },
      },
      fails: ["query-alone", "empty-context", "invents-no-delegate"],
    },
    "cannot do without a model": {
      overrides: {
        create: () => async (query, context) => {
          if (context?.ai === undefined) {
            return { error: new MeshError("AI_UNAVAILABLE", "No model.").toInfo() };
          }
          return good(query, context);
        },
      },
      fails: allNamed(
        ({ name, needs }) =>
          !["promise", "failing-ai", "listeners", "no-state", "keeps-its-own"].includes(name) &&
          !usesOther.has(needs),
      ),
    },
    "gives up when the model fails": {
      overrides: {
        create: () => async (query, context) => {
          try {
            await context?.ai?.complete({ prompt: query });
          } catch (thrown) {
            return { error: MeshError.from(thrown, "notes").toInfo() };
          }
          return good(query, context);
        },
      },
      fails: ["failing-ai"],
    },
    "writes into its context": {
      overrides: {
        create: () =>
          after((_query, context) => {
            if (context?.metadata !== undefined) Object.assign(context.metadata, { seen: true });
          }),
      },
      fails: allNamed(
        ({ name, needs }) =>
          !["query-alone", "empty-context"].includes(name) && !usesOther.has(needs),
      ),
    },
    "writes into its context where it can, and says nothing where it cannot": {
      overrides: {
        create: () =>
          after((_query, context) => {
            try {
              Object.assign(context?.metadata?.nested ?? {}, { seen: true });
            } catch {}
          }),
      },
      fails: ["read-only"],
    },
    "answers another time with another answer": {
      overrides: {
        create: () => {
          let calls = 0;
          return answering((response) => ({ ...response, answer: `Call ${++calls}.` }));
        },
      },
      fails: ["no-state"],
    },
    "rejects when what it depends on fails": {
      overrides: { failing: (thrown) => chaos.throwing(thrown) },
      fails: ["error", "error-advice", "error-leak"],
    },
    "throws when what it depends on fails": {
      overrides: { failing: (thrown) => chaos.throwingAtOnce(thrown) },
      fails: ["error", "error-advice", "error-leak"],
    },
    "repeats what its dependency threw": {
      overrides: {
        failing: (thrown) => async () => ({ error: { ...internal(), message: thrown.message } }),
      },
      fails: ["error-leak"],
    },
    "repeats in details what its dependency threw": {
      overrides: {
        failing: (thrown) => async () => ({ error: { ...internal(), details: { thrown } } }),
      },
      fails: ["error-leak"],
    },
    "says NOT_FOUND when what it depends on fails": {
      overrides: { failing: () => async () => ({ error: nothing() }) },
      fails: ["error"],
    },
    "does not say whether to ask again": {
      overrides: {
        failing: () => async () => ({
          error: { code: "INTERNAL_ERROR", message: "No.", suggestion: "Ask the author." },
        }),
      },
      fails: ["error-advice"],
    },
    "suggests its message": {
      overrides: {
        failing: () => async () => ({ error: { ...internal(), suggestion: internal().message } }),
      },
      fails: ["error-advice"],
    },
    "answers what cannot be answered": {
      overrides: {
        create: () => async (query, context) =>
          query.includes("painted") ? { answer: "Nobody." } : good(query, context),
      },
      fails: ["not-found"],
    },
    "delegates to somebody it made up": {
      overrides: {
        create: () => async (query, context) =>
          query.includes("pods") ? { delegate: { to: "made-up" } } : good(query, context),
      },
      fails: ["delegates", "invents-no-delegate"],
    },
    "delegates without a reason": {
      overrides: {
        create: () => async (query, context) => {
          const response = await good(query, context);
          return response.delegate === undefined ? response : { delegate: { to: "k8s" } };
        },
      },
      fails: ["delegates"],
    },
    "delegates to the first delegate there is": {
      overrides: {
        create: () => async (query, context) => {
          const { answer, error } = await good(query, context);
          const to = context?.availableDelegates?.[0]?.id;
          if (answer !== undefined || to === undefined || !query.includes("pods")) {
            return answer === undefined && error === undefined
              ? { error: nothing() }
              : good(query, context);
          }
          return { delegate: { to, context: { reason: "It came first." } } };
        },
      },
      fails: ["delegates"],
    },
    "delegates what it could answer": {
      overrides: {
        create: () => async (query, context) =>
          context?.availableDelegates?.some(({ id }) => id === "k8s")
            ? { delegate: { to: "k8s", context: { reason: "It is there." } } }
            : good(query, context),
      },
      fails: ["keeps-its-own"],
    },
    "ignores its deadline and its signal": {
      overrides: { hanging: () => chaos.hanging() },
      fails: ["deadline", "deadline-passed", "cancelled", "plain-abort-later"],
    },
    "rejects when its signal aborts": {
      overrides: { hanging: () => chaos.cooperative() },
      fails: ["deadline", "deadline-passed", "cancelled", "plain-abort-later"],
    },
    "says the wrong reason for ending": {
      overrides: {
        hanging: () => async (_query, context) => {
          await withDeadline({ signal: context?.signal }, () => new Promise(() => {})).catch(
            () => undefined,
          );
          return { error: new MeshError("TIMEOUT", "Over.", { reason: "cancelled" }).toInfo() };
        },
      },
      fails: ["deadline", "deadline-passed"],
    },
    "answers although it was cancelled before": {
      overrides: {
        create: () => async (query, context) => good(query, { ...context, signal: undefined }),
      },
      fails: ["cancelled-before", "plain-abort"],
    },
    "takes a plain abort for a failure of its own": {
      overrides: {
        create: () => async (query, context) => {
          const { signal } = context ?? {};
          const isPlain = signal?.aborted === true && !(signal.reason instanceof MeshError);
          return isPlain
            ? { error: MeshError.from(signal.reason, "notes").toInfo() }
            : good(query, context);
        },
      },
      fails: ["plain-abort"],
    },
    "takes whatever options it is given": {
      overrides: { withOptions: () => good },
      fails: ["option-type", "option-range", "option-unknown"],
    },
    "takes a text for a value out of range": {
      overrides: {
        withOptions() {
          throw new RangeError('timeoutMs, id, tiemoutMs: got "10s", 5, 0, NaN, "Not An Id".');
        },
      },
      fails: ["option-type", "option-unknown"],
    },
    "does not name a value out of range": {
      overrides: {
        withOptions(options) {
          try {
            parseOptions(notesOptions, options);
          } catch (thrown) {
            throw thrown instanceof RangeError ? new RangeError("timeoutMs: too small.") : thrown;
          }
          return good;
        },
      },
      fails: ["option-range"],
    },
    "repeats secrets of its data": {
      overrides: { quoting: (text) => createNotesLibrarian(async () => text) },
      fails: ["secrets"],
    },
    "leaves a listener on its signal": {
      overrides: {
        create: () =>
          after((_query, context) => context?.signal?.addEventListener("abort", () => {})),
      },
      fails: ["listeners"],
    },
    "does not start": {
      overrides: {
        create: () => ({
          id: "notes",
          description: "does not start",
          librarian: good,
          start: async () => {
            throw new Error(secretive);
          },
        }),
      },
      fails: [
        ...["answers", "confidence", "length", "markdown", "sources", "sources-ranked"],
        ...["not-found", "delegates", "invents-no-delegate", "cancelled-before"],
        "plain-abort",
      ],
    },
  };

describe("librarianChecks find a librarian that", () => {
  for (const [name, { overrides, fails }] of Object.entries(bad)) {
    it.concurrent(name, async () => {
      expect(await failuresOf(overrides)).toEqual(fails);
    });
  }

  it("is bad in any way there is a check for", () => {
    const failed = new Set(Object.values(bad).flatMap(({ fails }) => fails));

    expect([...failed].sort()).toEqual(librarianChecks.map(({ name }) => name).sort());
  });

  for (const kind of malformedKinds) {
    it.concurrent(`returns garbage: ${kind}`, async () => {
      expect(await failuresOf({ create: () => chaos.malformed(kind) })).toContain("answers");
    });
  }
});

describe("checkLibrarian", () => {
  it("skips what lacks an option, and says which", async () => {
    const results = await checkLibrarian({ create: () => good, query: goodOptions.query });

    const skipped = results.filter(({ outcome }) => outcome === "skipped");
    expect(skipped.map(({ name }) => name)).toEqual(
      librarianChecks.filter(({ needs }) => needs !== undefined).map(({ name }) => name),
    );
    expect(skipped[0]?.reason).toBe(
      "it applies with `failing`, the librarian with a dependency that fails",
    );
  });

  it("leaves out the parts it is asked to do without", async () => {
    const results = await checkLibrarian({
      ...goodOptions,
      without: ["delegation", "timeout", "cancel", "error"],
    });

    expect(results.map(({ name }) => name)).not.toContain("delegates");
    expect(results).not.toHaveLength(0);
  });

  it("says what the librarian did instead", async () => {
    const [first] = await checkLibrarian({ ...goodOptions, create: () => chaos.throwing() });

    expect(first).toMatchObject({
      outcome: "failed",
      reason: "it rejected instead of resolving with an error",
    });
  });

  it("closes what it started, also when a check fails", async () => {
    const open = new Set<number>();
    let made = 0;
    const create = () => {
      const id = made++;
      return {
        id: "notes",
        description: "counts itself",
        librarian: chaos.throwing(),
        start: async () => {
          open.add(id);
        },
        close: async () => {
          open.delete(id);
        },
      };
    };

    await checkLibrarian({ ...goodOptions, create });

    expect(made).toBeGreaterThan(0);
    expect(open.size).toBe(0);
  });

  it("refuses to do without everything", () => {
    const without = [...new Set(librarianChecks.map(({ part }) => part))];

    expect(() => checksFor({ ...goodOptions, without })).toThrow(TypeError);
  });

  it("passes for a librarian behind a router, since a router behaves like one", async () => {
    const behindRouter = (inner: Librarian): Librarian => {
      const router = createRouter();
      router.register({ id: "notes", description: "reads notes", librarian: inner });
      return (query, { signal, ai, deadline = Number.POSITIVE_INFINITY } = {}) =>
        deadline === Number.POSITIVE_INFINITY
          ? router.ask(query, { signal, ai })
          : router.ask(query, { ai, timeoutMs: Math.max(1, deadline - Date.now()) });
    };

    const results = await checkLibrarian({
      ...goodOptions,
      create: () => behindRouter(good),
      failing: () => behindRouter(chaos.throwing(new Error(secretive))),
      hanging: () => behindRouter(chaos.hanging()),
      without: ["delegation"],
    });

    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });
});

function nothing() {
  return new MeshError("NOT_FOUND", "No note is about that.").toInfo();
}

function internal() {
  return new MeshError("INTERNAL_ERROR", "The notes could not be read.").toInfo();
}

function allNamed(wanted: (check: (typeof librarianChecks)[number]) => boolean): readonly string[] {
  return librarianChecks.filter(wanted).map(({ name }) => name);
}
