import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration.js";

describe("parseDuration", () => {
  it.each([
    ["500ms", 500],
    ["1500", undefined],
    ["10s", 10_000],
    ["1.5m", 90_000],
    ["2h", 7_200_000],
    ["0", undefined],
    ["-1s", undefined],
    ["999h", undefined],
    ["ten", undefined],
    ["1d", 86_400_000],
    ["25d", undefined],
  ])("reads %j as %j", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
