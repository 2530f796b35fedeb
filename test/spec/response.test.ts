import type { Response, Source } from "@constellation/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { answers, fails, meshOf, passesTo, watched } from "./mesh.js";
import { isValidResponse } from "./valid.js";

describe("answer", () => {
  it("CORE-028 is text", () => {
    expect(isValidResponse({ answer: 5 })).toBe(false);
    expect(isValidResponse({ answer: "5" })).toBe(true);
    expectTypeOf<Response["answer"]>().toEqualTypeOf<string | undefined>();
  });

  it("CORE-031 may have more than 4000 characters for the check, and for the router", async () => {
    const long = "x".repeat(4_001);

    expect(isValidResponse({ answer: long })).toBe(true);
    expect((await meshOf({ a: answers(long) }).ask("q")).answer).toBe(long);
  });

  it("CORE-025 beside an error stays, with the error, and is partial", async () => {
    const error = { code: "DATA_SOURCE_ERROR", message: "The wiki is down." } as const;

    const response = await meshOf({ a: answers("half of it", { error }) }).ask("q");

    expect(response).toEqual({
      answer: "half of it",
      error: expect.objectContaining(error),
      partial: true,
    });
  });
});

describe("sources", () => {
  it("CORE-032 are an array, each with a name", () => {
    const withSources = (sources: unknown) => isValidResponse({ answer: "a", sources });

    expect(withSources({})).toBe(false);
    expect(withSources([{ url: "https://x.example" }])).toBe(false);
    expect(withSources([{ name: " " }])).toBe(false);
    expect(withSources([])).toBe(true);
    expect(withSources([{ name: "Guide" }])).toBe(true);
  });

  it("CORE-032 of an answer that a fan-out does not use are not listed", async () => {
    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B", { confidence: 0.9, sources: [{ name: "used" }] }),
      c: answers("C", { confidence: 0.7, sources: [{ name: "not used" }] }),
    }).ask("q", { merge: "best-confidence" });

    expect(response.sources).toEqual([{ name: "used" }]);
  });

  it("CORE-033 keep their url, and get none where they have none", async () => {
    const sources = [{ name: "Guide", url: "https://docs.example.com/deploy" }, { name: "Memory" }];

    const response = await meshOf({ a: answers("A", { sources }) }).ask("q");

    expect(response.sources).toEqual(sources);
    expect(response.sources?.[1]).not.toHaveProperty("url");
  });

  it("CORE-034 stand there once, also where two responses cite the same name and url", async () => {
    const guide = { name: "Guide", url: "https://x.example" };

    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B", { sources: [guide, { ...guide }] }),
      c: answers("C", { sources: [{ ...guide }, { name: "Guide", url: "https://y.example" }] }),
    }).ask("q");

    expect(response.sources).toEqual([guide, { name: "Guide", url: "https://y.example" }]);
  });

  it("CORE-035 are ordered by relevance, highest first", async () => {
    const sources = [0.2, 0.9, 0.5].map((relevance) => ({ name: `${relevance}`, relevance }));

    const response = await meshOf({ a: answers("A", { sources }) }).ask("q");

    expect(response.sources?.map(({ relevance }) => relevance)).toEqual([0.9, 0.5, 0.2]);
    expect(sources[0]?.relevance).toBe(0.2); // the librarian's own array stays as it was
  });

  it("CORE-035 are ordered over all branches of a fan-out", async () => {
    const cites = (...all: readonly number[]): readonly Source[] =>
      all.map((relevance) => ({ name: `${relevance}`, relevance }));

    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B", { sources: cites(0.2, 0.9) }),
      c: answers("C", { sources: cites(0.5, 1) }),
    }).ask("q");

    expect(response.sources?.map(({ relevance }) => relevance)).toEqual([1, 0.9, 0.5, 0.2]);
  });

  it("CORE-036 may have a type, and a relevance from 0 to 1", () => {
    const guide = { name: "Deployment Guide", url: "https://docs.example.com/deploy" };
    const answer = "According to our documentation...";
    const withSource = (more: object) =>
      isValidResponse({ answer, sources: [{ ...guide, ...more }] });

    expect(withSource({ type: "document", relevance: 0.9 })).toBe(true);
    expect([0, 1].map((relevance) => withSource({ relevance }))).toEqual([true, true]);
    expect([1.2, -0.1, Number.NaN, "high"].map((relevance) => withSource({ relevance }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("confidence", () => {
  it("CORE-042 is a number from 0 to 1, both included", () => {
    const withConfidence = (confidence: unknown) => isValidResponse({ answer: "a", confidence });

    expect([0, 0.5, 1].filter(withConfidence)).toEqual([0, 0.5, 1]);
    expect([-0.01, 1.01, Number.NaN, "0.9", "high", null].filter(withConfidence)).toEqual([]);
  });

  it("CORE-069 comes with partial in the example of a doubtful answer", async () => {
    const example = { answer: "Based on limited data...", confidence: 0.3, partial: true };

    expect(isValidResponse(example)).toBe(true);
    expect(await meshOf({ a: async () => example }).ask("q")).toEqual(example);
  });
});

describe("partial", () => {
  it("CORE-047 is true or false", () => {
    const withPartial = (partial: unknown) => isValidResponse({ answer: "a", partial });

    expect([true, false].filter(withPartial)).toEqual([true, false]);
    expect(["yes", 1, null].filter(withPartial)).toEqual([]);
  });

  it("CORE-048 is true when some of those asked failed", async () => {
    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B", { confidence: 0.9 }),
      c: fails("DATA_SOURCE_ERROR"),
    }).ask("q");

    expect(response).toMatchObject({ answer: "B", partial: true });
  });

  it("CORE-049 is true below confidence 0.6, and not from 0.6", async () => {
    const router = meshOf({
      below: answers("a", { confidence: 0.59 }),
      at: answers("a", { confidence: 0.6 }),
      claiming: answers("a", { confidence: 0.1, partial: false }),
    });

    expect((await router.ask("q", { to: "below" })).partial).toBe(true);
    expect((await router.ask("q", { to: "at" })).partial).not.toBe(true);
    expect((await router.ask("q", { to: "claiming" })).partial).toBe(true);
  });

  it("CORE-049 is true for a merged answer whose mean is below 0.6", async () => {
    const response = await meshOf({
      a: passesTo("b", "c"),
      b: answers("B", { confidence: 0.9 }),
      c: answers("C", { confidence: 0.1 }),
    }).ask("q");

    expect(response).toMatchObject({ confidence: 0.5, partial: true });
  });
});

describe("metadata", () => {
  it("CORE-027 comes back from the router unchanged", async () => {
    const metadata = { navigator: { k: 1 }, facts: [{ a: [1, 2] }] };

    const response = await meshOf({ a: answers("A", { metadata }) }).ask("q");

    expect(response.metadata).toEqual({ navigator: { k: 1 }, facts: [{ a: [1, 2] }] });
  });

  it("CORE-027 of the last of a chain comes back unchanged, beside an error too", async () => {
    const metadata = { navigator: { outOfDomain: true } };
    const error = { code: "NOT_FOUND", message: "Nothing about that." } as const;

    const response = await meshOf({ a: passesTo("b"), b: async () => ({ error, metadata }) }).ask(
      "q",
    );

    expect(response).toEqual({ error: expect.objectContaining(error), metadata });
  });

  it("RES-07 holds whole objects beside each other: navigator, ragAdvisory, workflowSelection", async () => {
    const response = await meshOf({
      a: passesTo("b", "c", "d"),
      b: answers("B", { metadata: { navigator: { answer: "n" } } }),
      c: answers("C", { metadata: { ragAdvisory: { summary: "r" } } }),
      d: answers("D", { metadata: { workflowSelection: { strategies: [] } } }),
    }).ask("q");

    expect(response.metadata).toMatchObject({
      navigator: { answer: "n" },
      ragAdvisory: { summary: "r" },
      workflowSelection: { strategies: [] },
    });
  });

  it("is an object where it is there", () => {
    const withMetadata = (metadata: unknown) => isValidResponse({ answer: "a", metadata });

    expect(withMetadata({})).toBe(true);
    expect([[], 1, "x", null].filter(withMetadata)).toEqual([]);
  });
});

describe("several in one response", () => {
  it("CORE-023 RES-05: an answer beside a delegate is followed up, and both answers are merged", async () => {
    const b = watched(answers("B"));

    const response = await meshOf({
      a: answers("A", { delegate: { to: "b" } }),
      b: b.librarian,
    }).ask("q");

    expect(response.answer).toMatch(/A[\s\S]*B/);
    expect(b.queries).toEqual(["q"]);
    expect(response.error).toBeUndefined();
    expect(response.delegate).toBeUndefined();
    expect(response.metadata?.missing).toBeUndefined();
  });

  it("CORE-024 RES-05: the answer is kept, and partial, when its delegate fails", async () => {
    const response = await meshOf({
      a: answers("A", { confidence: 0.9, delegate: { to: "b" } }),
      b: fails("DATA_SOURCE_ERROR", "The wiki is down."),
    }).ask("q");

    expect(response).toMatchObject({ answer: "A", partial: true, confidence: 0.9 });
    expect(response.metadata?.missing).toEqual([
      { to: "b", code: "DATA_SOURCE_ERROR", message: "The wiki is down." },
    ]);
  });

  it("CORE-024 RES-05: also when the delegate does not exist", async () => {
    const response = await meshOf({ a: answers("A", { delegate: { to: "nobody" } }) }).ask("q");

    expect(response).toMatchObject({
      answer: "A",
      partial: true,
      metadata: {
        missing: [{ to: "nobody", code: "DELEGATION_FAILED", reason: "unknown-librarian" }],
      },
    });
  });

  it("CORE-026 RES-06: a delegate beside an error is not followed", async () => {
    const error = { code: "UNAUTHORIZED", message: "No." } as const;
    const b = watched(answers("B"));

    const response = await meshOf({
      a: async () => ({ error, delegate: { to: "b" } }),
      b: b.librarian,
    }).ask("q");

    expect(response).toEqual({ error: expect.objectContaining(error) });
    expect(b.queries).toEqual([]);
  });

  it("RES-06: a delegate beside an answer and an error is not followed either", async () => {
    const error = { code: "UNAUTHORIZED", message: "No." } as const;
    const b = watched(answers("B"));

    const response = await meshOf({
      a: async () => ({ answer: "A", error, delegate: [{ to: "b" }] }),
      b: b.librarian,
    }).ask("q");

    expect(response).toEqual({ answer: "A", error: expect.objectContaining(error), partial: true });
    expect(b.queries).toEqual([]);
  });
});
