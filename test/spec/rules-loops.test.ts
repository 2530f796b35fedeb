import type { Librarian, Response } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, passesTo, watched } from "./mesh.js";

describe("rule 1, loops on the path", () => {
  it("does not count siblings: two branches may ask the same librarian", async () => {
    const c = watched(answers("C"));

    const response = await meshOf({
      a: passesTo("b", "c"),
      b: passesTo("c"),
      c: c.librarian,
    }).ask("q");

    expect(response.error).toBeUndefined();
    expect(response.partial).not.toBe(true);
    expect(response.metadata?.branches).toMatchObject([
      { to: "b", response: { answer: "C" } },
      { to: "c", response: { answer: "C" } },
    ]);
  });

  it("does not count siblings: one response may ask a librarian twice", async () => {
    const b = watched(async (query) => ({ answer: `about ${query}` }));
    const a: Librarian = async () => ({
      delegate: [
        { to: "b", query: "pods" },
        { to: "b", query: "nodes" },
      ],
    });

    const response = await meshOf({ a, b: b.librarian }).ask("q");

    expect(response.answer).toMatch(/about pods[\s\S]*about nodes/);
    expect(b.queries).toEqual(["pods", "nodes"]);
  });

  it("lets the other branches answer when one of them goes round, and names it", async () => {
    const a = watched(passesTo("b", "c"));

    const response = await meshOf({ a: a.librarian, b: passesTo("a"), c: answers("C") }).ask("q");

    expect(response).toMatchObject({ answer: "C", partial: true });
    expect(response.metadata?.missing).toMatchObject([{ to: "b", code: "LOOP_DETECTED" }]);
    expect(a.queries).toEqual(["q"]);
  });

  it("finds a refined question too, by default", async () => {
    const a: Librarian = async () => ({ delegate: { to: "b", query: "refined" } });

    const response = await meshOf({ a, b: passesTo("a") }).ask("q");

    expect(response.error?.code).toBe("LOOP_DETECTED");
  });

  it("finds a librarian that context.ask would bring back", async () => {
    const a = watched(passesTo("b"));
    const seen: (Response | undefined)[] = [];
    const b: Librarian = async (query, context) => {
      seen.push(await context?.ask?.(query, { to: "a" }));
      return { answer: "B" };
    };

    const response = await meshOf({ a: a.librarian, b }).ask("q");

    expect(response.answer).toBe("B");
    expect(seen[0]?.error).toMatchObject({
      code: "LOOP_DETECTED",
      details: { path: ["a", "b", "a"] },
    });
    expect(a.queries).toEqual(["q"]);
  });
});

describe("rule 1, loops: 'work'", () => {
  /** Answers its second question, and delegates its first one to b. */
  const twice = () => {
    let calls = 0;
    return watched(async (query) =>
      ++calls === 1 ? { delegate: { to: "b" } } : { answer: `second: ${query}` },
    );
  };

  it("lets a refined question come back", async () => {
    const a = twice();
    const b: Librarian = async () => ({ delegate: { to: "a", query: "which pod?" } });

    const response = await meshOf({ a: a.librarian, b }, { loops: "work" }).ask("why?");

    expect(response.answer).toBe("second: which pod?");
    expect(a.queries).toEqual(["why?", "which pod?"]);
  });

  it("lets the same question come back with another context", async () => {
    const a = twice();
    const b: Librarian = async () => ({ delegate: { to: "a", context: { pod: "api-7f" } } });

    const response = await meshOf({ a: a.librarian, b }, { loops: "work" }).ask("why?");

    expect(response.answer).toBe("second: why?");
  });

  for (const query of ["why is it down?", "  Why  is it\nDOWN? "]) {
    it(`refuses the same question as ${JSON.stringify(query)}`, async () => {
      const a = twice();
      const b: Librarian = async () => ({ delegate: { to: "a", query } });

      const response = await meshOf({ a: a.librarian, b }, { loops: "work" }).ask(
        "why is it down?",
      );

      expect(response.error?.code).toBe("LOOP_DETECTED");
      expect(a.queries).toHaveLength(1);
    });
  }

  it("refuses the same question with an equal context, made anew", async () => {
    const a = twice();
    const b: Librarian = async () => ({ delegate: { to: "a", context: { on: { pod: "x" } } } });

    const response = await meshOf({ a: a.librarian, b }, { loops: "work" }).ask("why?", {
      metadata: { on: { pod: "x" } },
    });

    expect(response.error?.code).toBe("LOOP_DETECTED");
  });

  it("ends at maxDepth when every question is a new one", async () => {
    const a = watched(async (query) => ({ delegate: { to: "a", query: `${query}!` } }));

    const response = await meshOf({ a: a.librarian }, { loops: "work" }).ask("q");

    expect(response.error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      details: { reason: "depth" },
    });
    expect(a.queries).toEqual(["q", "q!", "q!!", "q!!!", "q!!!!"]);
  });
});
