import { describe, expect, it, vi } from "vitest";
import type { Embedder } from "../embeddings/embedder.js";
import { estimateAnswers, keepRows } from "./estimate-answers.js";

const faq = ["Returns are free within 30 days.", "Parcels arrive within two days."];

describe("estimateAnswers", () => {
  it("says how much of a query the best text has, and nothing that matched", () => {
    const canAnswer = estimateAnswers(() => faq);
    const known = canAnswer({ query: "are returns free?" });

    expect(known.coverage).toBe(1);
    expect(known.chance).toBeGreaterThan(0.9);
    expect(known.matches).toBe(1);
    expect(canAnswer({ query: "who painted the chapel?" })).toMatchObject({
      chance: 0,
      coverage: 0,
      matches: 0,
    });
    expect(JSON.stringify(known)).not.toContain("free");
  });

  it("finds words that are near in meaning, less than the same ones", () => {
    const canAnswer = estimateAnswers(() => faq);
    const coverage = (query: string) => canAnswer({ query }).coverage;

    expect(coverage("packages delivered")).toBeGreaterThan(coverage("chapels painted") + 0.2);
    expect(coverage("packages delivered")).toBeLessThan(coverage("parcels arrived"));
    expect(canAnswer({ query: "packages delivered" }).matches).toBe(0);
  });

  it("covers nothing of a question for facts where the rows are actions", () => {
    const rows = ["restart-pods: restarts the pods of a node that are not ready"];
    const canAnswer = estimateAnswers(() => rows, {
      about: "Proposes which workflow to run",
      areActions: true,
    });

    expect(canAnswer({ query: "which pods are not ready?" })).toMatchObject({
      chance: 0,
      coverage: 0,
      matches: 0,
    });
    expect(canAnswer({ query: "which workflow restarts the pods?" }).coverage).toBeGreaterThan(0.9);
    expect(canAnswer({ query: "pods of a node are not ready" }).coverage).toBeGreaterThan(0.9);
  });

  it("compares only what the user may read", () => {
    const rows = [
      { owner: "hr", note: "Anna Pohl is a customer." },
      { owner: "shop", note: "Parcels arrive within two days." },
    ];
    const canAnswer = estimateAnswers<(typeof rows)[number], { readonly team: string }>(
      () => rows,
      { text: ({ note }) => note, mayRead: ({ owner }, user) => owner === user?.team },
    );
    const query = "Is Anna Pohl a customer?";

    expect(canAnswer({ query, user: { team: "hr" } }).coverage).toBe(1);
    expect(canAnswer({ query, user: { team: "shop" } })).toEqual(
      estimateAnswers(() => ["Parcels arrive within two days."])({ query }),
    );
    expect(canAnswer({ query }).matches).toBe(0);
  });

  it("reads the rows again when there are others, with another version", () => {
    let rows = faq;
    const canAnswer = estimateAnswers(() => rows);
    const before = canAnswer({ query: "gift cards" });
    rows = [...faq, "Gift cards never expire."];
    const after = canAnswer({ query: "gift cards" });

    expect(before.coverage).toBeLessThan(0.2);
    expect(after.coverage).toBe(1);
    expect(after.version).not.toBe(before.version);
  });

  it("adds similarity for a vector of the same embedder, once the rows are embedded", async () => {
    const embedder: Embedder = {
      id: "two",
      dimensions: 2,
      embed: async (texts) => texts.map((text) => (/parcel/i.test(text) ? [1, 0] : [0, 1])),
    };
    const canAnswer = estimateAnswers(() => faq, { embedder });
    const probe = (id: string) =>
      canAnswer({
        query: "when is it delivered?",
        vector: { embedder: id, values: Float32Array.of(1, 0) },
      });

    await vi.waitFor(() => expect(probe("two").similarity).toBeCloseTo(1), { timeout: 10_000 });
    expect(probe("two").chance).toBeGreaterThan(0.9);
    expect(probe("other").similarity).toBeUndefined();
  });

  it("estimates by words where the embedder fails", () => {
    const embedder: Embedder = {
      id: "broken",
      dimensions: 2,
      embed: () => Promise.reject(new Error("down")),
    };
    const canAnswer = estimateAnswers(() => faq, { embedder });

    expect(canAnswer({ query: "are returns free?" })).toMatchObject({
      coverage: 1,
      similarity: undefined,
    });
  });

  it("waits for rows that are read for the first time", async () => {
    let read: (rows: readonly string[]) => void = () => {};
    const canAnswer = estimateAnswers(
      keepRows<string>(() => new Promise((resolve) => (read = resolve))),
    );

    const first = canAnswer({ query: "gift cards" });
    read(["Gift cards expire after three years."]);

    expect(await first).toMatchObject({ coverage: 1 });
  });

  it("is unknown where rows cannot be read", async () => {
    const canAnswer = estimateAnswers(keepRows<string>(() => Promise.reject(new Error("down"))));

    expect(await canAnswer({ query: "gift cards" })).toBeUndefined();
  });
});
