import { describe, expect, it } from "vitest";
import { schedulePeriod } from "./schedule.js";

const hour = 3_600_000;

describe("schedulePeriod", () => {
  it.each([
    ["*/10 * * * *", hour / 6],
    ["5 * * * *", hour],
    ["0 2 * * *", 24 * hour],
    ["0 */4 * * *", 4 * hour],
    ["0 2 * * 1", 7 * 24 * hour],
    ["@daily", 24 * hour],
  ])("%s runs every so often", (schedule, period) => {
    expect(schedulePeriod(schedule)).toBe(period);
  });

  it("is undefined for a text that is not a schedule", () => {
    expect(schedulePeriod("every day")).toBeUndefined();
  });
});
