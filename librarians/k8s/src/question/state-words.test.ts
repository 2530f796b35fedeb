import { describe, expect, it } from "vitest";
import { stateIn } from "./state-words.js";

describe("stateIn", () => {
  it.each([
    ["how many pods are not running?", "notRunning"],
    ["which pods have no memory limit?", "withoutLimits"],
    ["which deployments don't have any readiness probe", "withoutProbes"],
    ["how many deployments are scaled to zero?", "empty"],
    ["which nodes are cordoned?", "cordoned"],
    ["how many pods are ready?", "ready"],
    ["how many deployments are broken?", "broken"],
  ])("%s asks for %s", (query, expected) => {
    expect(stateIn(query)).toBe(expected);
  });

  it("finds none in a question after all of them", () => {
    expect(stateIn("how many pods?")).toBeUndefined();
  });
});
