import { type Librarian, MeshError, toAbortError } from "@constellation/core";
import { checkLibrarian, itBehavesLikeALibrarian } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { returning } from "./mesh.js";

/** Pages by topic: what the librarian below depends on. */
type ReadPages = () => Promise<Readonly<Record<string, string>>>;

const pages = { tides: "The **tide** turns every six hours.", moon: "The `moon` is full." };

/** A librarian as its author would write it. */
function createAlmanac(read: ReadPages): Librarian {
  return async (query, context = {}) => {
    try {
      if (query.trim() === "") throw new MeshError("INVALID_QUERY", "The query is blank.");
      const found = await orTimeout(read(), context.signal, context.deadline);
      const topic = Object.keys(found).find((each) => query.includes(each));
      const text = topic === undefined ? undefined : found[topic];
      if (text !== undefined) {
        return { answer: text, confidence: 0.9, sources: [{ name: `${topic}.md`, relevance: 1 }] };
      }
      const words = query.split(/\W+/).filter((word) => word.length > 3);
      const fitting = context.availableDelegates?.find(({ description = "" }) =>
        words.some((word) => description.includes(word)),
      );
      if (fitting !== undefined) {
        const reason = "It is about something else.";
        return { delegate: { to: fitting.id, context: { reason } } };
      }
      throw new MeshError("NOT_FOUND", "The almanac has no page about that.");
    } catch (thrown) {
      return { error: MeshError.from(thrown, "almanac").toInfo() };
    }
  };
}

function orTimeout<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  deadline = Number.POSITIVE_INFINITY,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      end(() => reject(new MeshError("TIMEOUT", "It took too long.", { reason: "deadline" })));
    const onAbort = () =>
      end(() => reject(signal === undefined ? undefined : toAbortError(signal)));
    const remaining = deadline - Date.now();
    const timer = remaining < 2 ** 31 ? setTimeout(late, Math.max(0, remaining)) : undefined;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    if (remaining <= 0) late();
    work.then(
      (value) => end(() => resolve(value)),
      (thrown) => end(() => reject(thrown)),
    );
  });
}

const whaler = { id: "whaler", description: "Knows whales." };

describe("a librarian that keeps the contract", () => {
  itBehavesLikeALibrarian({
    create: () => createAlmanac(async () => pages),
    query: "when do the tides turn?",
    unanswerable: "who is there?",
    outOfDomain: { query: "where are the whales? whaler Knows whales.", delegate: whaler },
    failing: (thrown) => createAlmanac(() => Promise.reject(thrown)),
    hanging: () => createAlmanac(() => new Promise(() => {})),
  });
});

describe("a librarian that breaks the contract", () => {
  const failedBy = async (librarian: Librarian) => {
    const results = await checkLibrarian({
      create: () => librarian,
      query: "when do the tides turn?",
      unanswerable: "who is there?",
      outOfDomain: { query: "where are the whales?", delegate: whaler },
      failing: () => librarian,
      hanging: () => librarian,
      timeoutMs: 60,
    });
    return results.flatMap(({ outcome, title }) => (outcome === "failed" ? title : [])).join("\n");
  };

  it("fails CORE-002, CORE-005 and CORE-074 when it returns nothing", async () => {
    const failed = await failedBy(returning({}));

    for (const id of ["CORE-002", "CORE-005", "CORE-074"]) expect(failed).toContain(id);
  });

  it("fails CORE-006 and CORE-075 when it rejects", async () => {
    const failed = await failedBy(async () => {
      throw new Error("boom");
    });

    for (const id of ["CORE-006", "CORE-075"]) expect(failed).toContain(id);
  });

  it("fails CORE-029, CORE-069, CORE-070 and CORE-076 when it says the same bare thing to all", async () => {
    const failed = await failedBy(async () => ({ answer: "<b>The</b> tide turns." }));

    for (const id of ["CORE-029", "CORE-069", "CORE-070", "CORE-076"]) expect(failed).toContain(id);
  });

  it("fails CORE-077 and CORE-009 when it hangs", async () => {
    const failed = await failedBy(() => new Promise(() => {}));

    for (const id of ["CORE-077", "CORE-009"]) expect(failed).toContain(id);
  });

  it("fails CORE-004, CORE-010 and CORE-078 when it cannot do without a model", async () => {
    const failed = await failedBy(async (prompt, context) => {
      if (context?.ai === undefined) {
        return { error: { code: "AI_UNAVAILABLE", message: "It has no model." } };
      }
      return { answer: (await context.ai.complete({ prompt })).text };
    });

    for (const id of ["CORE-004", "CORE-010", "CORE-078"]) expect(failed).toContain(id);
  });
});
