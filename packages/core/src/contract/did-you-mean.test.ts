import { createRouter, type RouterOptions } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { didYouMean, nearestName } from "./did-you-mean.js";

describe("didYouMean", () => {
  const known = ["timeoutMs", "maxDepth", "merge", "ai"];

  it.each([
    ["timeoutms", "timeoutMs"],
    ["tiemoutMs", "timeoutMs"],
    ["maxDepht", "maxDepth"],
    ["merges", "merge"],
  ])("suggests for %s the name %s", (name, meant) => {
    expect(didYouMean(name, known)).toBe(` Did you mean "${meant}"?`);
  });

  it.each(["depth", "concurrency", "x", "", "m".repeat(10_000)])(
    "suggests nothing for %.20s",
    (name) => {
      expect(didYouMean(name, known)).toBe("");
    },
  );

  it("is part of the error for a wrong option", () => {
    const options: RouterOptions & { timeoutMS: number } = { timeoutMS: 1 };

    expect(() => createRouter(options)).toThrow(
      'unknown key "timeoutMS". Did you mean "timeoutMs"?',
    );
  });
});

describe("nearestName", () => {
  it.each([
    ["entrie", ["name", "entry", "merge"], "entry"],
    ["delegatsTo", ["delegatesTo", "description"], "delegatesTo"],
    ["dosc", ["docs", "k8s"], "docs"],
    ["Name", ["name"], "name"],
    ["zebra", ["name", "entry"], undefined],
    ["x", [], undefined],
    ["y".repeat(100_000), ["y"], undefined],
  ])("of %j among %j is %j", (word, known, found) => {
    expect(nearestName(word, known)).toBe(found);
  });

  it("is a question, or empty", () => {
    expect(didYouMean("dosc", ["docs"])).toBe(' Did you mean "docs"?');
    expect(didYouMean("zebra", ["docs"])).toBe("");
  });
});
