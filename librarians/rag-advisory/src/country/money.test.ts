import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printArea, readAreas } from "./area.js";
import { countries, sqftPerSqm } from "./countries.js";
import { printMoney, printRange, readAmounts } from "./money.js";

const amountsOf = (text: string) => readAmounts(text).map(({ low, high }) => [low, high]);

const { IN: india, US: unitedStates, UK: unitedKingdom } = countries;

describe("readAmounts", () => {
  it.each<[text: string, low: number, high: number]>([
    ["48 lakhs", 4_800_000, 4_800_000],
    ["48L", 4_800_000, 4_800_000],
    ["₹45-50 lakhs", 4_500_000, 5_000_000],
    ["between 45 and 50 lakhs", 4_500_000, 5_000_000],
    ["80 lakhs to 1 crore", 8_000_000, 10_000_000],
    ["Rs. 48,00,000", 4_800_000, 4_800_000],
    ["1.2 cr", 12_000_000, 12_000_000],
    ["forty-eight lakhs", 4_800_000, 4_800_000],
    ["half a crore", 5_000_000, 5_000_000],
    ["$300-400k", 300_000, 400_000],
    ["$1.2m", 1_200_000, 1_200_000],
    ["$1.2 million", 1_200_000, 1_200_000],
    ["300,000 dollars", 300_000, 300_000],
    ["£450,000", 450_000, 450_000],
    ["£1,250 pcm", 1_250, 1_250],
  ])("reads %s", (text, low, high) => {
    expect(amountsOf(text)).toEqual([[low, high]]);
  });

  it("says what a rate is for, and which currency it is in", () => {
    expect(readAmounts("₹4,500/sqft, £4,200 per square metre, $2,100 a month")).toEqual([
      { low: 4_500, high: 4_500, per: "sqft", currency: "INR" },
      { low: 4_200, high: 4_200, per: "sqm", currency: "GBP" },
      { low: 2_100, high: 2_100, per: "month", currency: "USD" },
    ]);
  });

  it.each([
    "a 2BHK with 3 balconies",
    "in 2025 and 2026",
    "100 m from the beach",
    "12 l of water",
    "a flat for one",
  ])("takes no number for money in: %s", (text) => {
    expect(readAmounts(text)).toEqual([]);
  });

  it("does not make a range of an amount and another number", () => {
    expect(amountsOf("48 lakhs and 2 balconies")).toEqual([[4_800_000, 4_800_000]]);
  });
});

describe("printMoney", () => {
  it("prints rupees in lakhs and crores, digits grouped as in India", () => {
    const printed = [950, 45_000, 99_999, 4_800_000, 9_996_000, 12_000_000].map((value) =>
      printMoney(value, india),
    );

    expect(printed).toEqual(["₹950", "₹45,000", "₹1 lakh", "₹48 lakhs", "₹1 crore", "₹1.2 crore"]);
  });

  it("prints dollars and pounds in thousands and millions", () => {
    expect([2_100, 300_000, 1_234_567].map((value) => printMoney(value, unitedStates))).toEqual([
      "$2,100",
      "$300k",
      "$1.23m",
    ]);
    expect(printMoney(450_000, unitedKingdom)).toBe("£450k");
  });

  it("RAG-016: prints ranges as the contract does", () => {
    expect(printRange(4_500_000, 5_000_000, india)).toBe("₹45-50 lakhs");
    expect(printRange(300_000, 400_000, unitedStates)).toBe("$300-400k");
    expect(printRange(8_000_000, 12_000_000, india)).toBe("₹80 lakhs-₹1.2 crore");
    expect(printRange(4_500_000, 4_500_001, india)).toBe("₹45 lakhs");
  });

  it("prints what can be read again, to three digits, in every country", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(india, unitedStates, unitedKingdom),
        fc.integer({ min: 1, max: 5_000_000_000 }),
        (conventions, value) => {
          const [amount] = readAmounts(printMoney(value, conventions));
          expect(amount?.currency).toBe(conventions.currency);
          expect(Math.abs((amount?.low ?? 0) / value - 1)).toBeLessThanOrEqual(0.005);
        },
      ),
      { seed: 6 },
    );
  });
});

describe("rates without a currency", () => {
  it.each([
    ["Is 12000 a month fair?", 12_000, "month"],
    ["3,000 per sqm in Manchester", 3_000, "sqm"],
    ["4500/sqft in Vizag", 4_500, "sqft"],
    ["950 pcm for a flat", 950, "month"],
  ])("reads %s", (text, low, per) => {
    expect(readAmounts(text)).toEqual([{ low, high: low, per }]);
  });

  it.each(["a flat of 1,200 sqft", "a flat of 110 sqm", "12 months", "it opens at 10 pm"])(
    "reads no amount in %s",
    (text) => {
      expect(readAmounts(text)).toEqual([]);
    },
  );
});

describe("readAreas", () => {
  it("reads square feet, square metres, square yards and acres", () => {
    const [feet, metres, yards, acres] = readAreas(
      "1,200 sq. ft., 100 sqm, 200 sq yards, 2 acres",
    ).map(({ sqft }) => sqft);

    expect([feet, yards, acres]).toEqual([1_200, 1_800, 87_120]);
    expect(metres).toBeCloseTo(100 * sqftPerSqm);
  });

  it("prints areas in the unit of the country", () => {
    expect(printArea(1_200, india)).toBe("1,200 sqft");
    expect(printArea(1_200, unitedKingdom)).toBe("111 sqm");
  });
});
