import { expect, it } from "vitest";
import { formatValue, sparkline } from "./format.js";

const line = (...values: number[]) =>
  sparkline(
    values.map((value, at) => ({ at, value })),
    4,
  );

it("draws a bar a value, from the lowest to the highest", () => {
  expect(line(0, 1, 2, 7)).toBe("▁▂▃█");
  expect(line(5, 5, 5)).toBe("▁▁▁");
  expect(line(0, 0, 7, 7, 7, 7, 0, 0)).toBe("▁██▁");
  expect(line()).toBe("");
  expect(line(Number.NaN, 1, Number.POSITIVE_INFINITY, 2)).toBe("▁█");
});

it.each([
  [0.18, "share", "18 %"],
  [0.239, "seconds", "239 ms"],
  [3.94, "seconds", "3.9 s"],
  [41.23, "per-second", "41.2/s"],
  [402_653_184, "bytes", "384 MiB"],
  [0, "bytes", "0 B"],
  [0.25, "cores", "0.25 cores"],
  [1_234_567, "count", "1234567"],
  [Number.NaN, "count", "NaN"],
] as const)("writes %d as a %s: %s", (value, unit, text) => {
  expect(formatValue(value, unit)).toBe(text);
});
