import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration.js";
import { didYouMean, nearest } from "./nearest.js";

describe("nearest", () => {
  it.each([
    ["entrie", ["name", "entry", "merge"], "entry"],
    ["delegatsTo", ["delegatesTo", "description"], "delegatesTo"],
    ["dosc", ["docs", "k8s"], "docs"],
    ["Name", ["name"], "name"],
    ["zebra", ["name", "entry"], undefined],
    ["x", [], undefined],
    ["y".repeat(100_000), ["y"], undefined],
  ])("of %j among %j is %j", (word, known, found) => {
    expect(nearest(word, known)).toBe(found);
  });

  it("is a question, or empty", () => {
    expect(didYouMean("dosc", ["docs"])).toBe(' Did you mean "docs"?');
    expect(didYouMean("zebra", ["docs"])).toBe("");
  });
});

describe("parseDuration", () => {
  it.each([
    ["500ms", 500],
    ["1500", 1_500],
    ["10s", 10_000],
    ["1.5m", 90_000],
    ["2h", 7_200_000],
    ["0", undefined],
    ["-1s", undefined],
    ["999h", undefined],
    ["ten", undefined],
    ["1d", undefined],
  ])("reads %j as %j", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
