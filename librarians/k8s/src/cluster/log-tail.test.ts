import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToTail } from "./log-tail.js";

describe("tailOf", () => {
  it.each([
    ["", 5, 100, "", false],
    ["a\nb\nc\n", 2, 100, "b\nc", true],
    ["a\nb\nc", 3, 100, "a\nb\nc", false],
    ["\n\nc", 2, 100, "\nc", true],
    ["aé", 5, 2, "é", true],
    ["aé", 5, 1, "", true],
  ])("gives of %j the last %i lines and %i bytes", (log, lines, bytes, text, cut) => {
    expect(cutToTail(log, lines, bytes)).toEqual({ text, cut });
  });

  it("holds both limits, and is an end of the log, for any log", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "\n", "é", "😀", "\r\n")).map((parts) => parts.join("")),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 30 }),
        (log, lines, bytes) => {
          const { text, cut } = cutToTail(log, lines, bytes);
          const whole = log.replace(/\n$/, "");

          expect(text.split("\n").length).toBeLessThanOrEqual(lines);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
          expect(whole.endsWith(text)).toBe(true);
          expect(cut).toBe(text !== whole);
        },
      ),
    );
  });
});
