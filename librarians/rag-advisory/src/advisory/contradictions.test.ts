import { createAnalyzer } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { dataRows, passage, testNow, vizagSales } from "../../test/sample-market.js";
import { countries } from "../country/countries.js";
import { resolvePlaces } from "../question/resolve-places.js";
import { readQuestion } from "../question/understand.js";
import { contentViolations } from "../rules/content-rules.js";
import { splitSentences } from "../rules/tokens.js";
import type { Chunk } from "../store/vector-store.js";
import { readDataRow } from "./data-row.js";
import { writeAdvisory } from "./write-advisory.js";

const analyzer = createAnalyzer();

function write(query: string, passages: readonly Chunk[], rows: readonly Chunk[] = []) {
  const found = resolvePlaces(query);
  if (found.kind !== "one") throw new Error(`expected one country, got ${found.kind}`);
  return writeAdvisory({
    question: readQuestion(query, found.country, found.place),
    retrieved: {
      passages: passages.map((chunk) => ({ chunk, closeness: 0.9 })),
      surroundings: [],
      rows: rows.map(readDataRow),
    },
    conventions: countries[found.country],
    analyzer,
    now: testNow,
  }).advisory;
}

const query = "How are flat prices in Vizag?";
const register = (text: string) => passage(text, { source: "Register", document: "register.md" });
const portal = (text: string) => passage(text, { source: "Portal", document: "portal.md" });
const over = (one: string, other: string) => write(query, [register(one), portal(other)]);

describe("sources that contradict each other", () => {
  it.each([
    // The direction.
    ["Flat prices rose 6 % in 2026.", "Flat prices fell 4 % in 2026.", "direction"],
    [
      "Apartment prices in Vizag increased by 3 %.",
      "Prices in Vizag declined by 2 %.",
      "direction",
    ],
    [
      "Rents were up 5 % in the year to August 2026.",
      "Rents were down 3 % in August 2026.",
      "direction",
    ],
    [
      "Home values grew over the past year.",
      "Home values dropped over the past year.",
      "direction",
    ],
    ["Demand for flats climbed in 2026.", "Demand for flats weakened in 2026.", "direction"],
    ["Supply of new flats shrank in 2026.", "Supply of new flats increased in 2026.", "direction"],
    ["Rental yields rose to 4 % in 2026.", "Rental yields slipped to 3 % in 2026.", "direction"],
    ["Sales of flats gained 9 % in 2026.", "Sales of flats lost 2 % in 2026.", "direction"],
    ["Flat prices were unchanged in 2026.", "Flat prices rose 9 % in 2026.", "direction"],
    [
      "Prices were stable in 2026, says the register.",
      "Prices fell 8 % in 2026 there.",
      "direction",
    ],
    // How far it went.
    ["Flat prices rose 2 % in 2026.", "Flat prices rose 11 % in 2026.", "change"],
    ["Rents fell 1.5 % in 2026 in the city.", "Rents fell 9 % in 2026 in the city.", "change"],
    ["Prices increased by 4 percent in 2026.", "Prices increased by 14 percent in 2026.", "change"],
    // What it is.
    ["The median price was ₹5,200 per sqft.", "The average price was ₹6,900 per sqft.", "level"],
    ["The average rent was ₹18,000 a month.", "The average rent was ₹26,000 a month.", "level"],
    [
      "The median price of a flat was ₹45 lakhs.",
      "The median price of a flat was ₹62 lakhs.",
      "level",
    ],
  ])("are both shown, with a flag and less confidence: %s %s", (one, other, what) => {
    const advisory = over(one, other);
    const alone = write(query, [register(one), portal(one.replace("2026", "2026 again"))]);

    expect(advisory.summary).toContain(`Sources disagree on the ${what}`);
    expect(advisory.summary).toMatch(/\(Register\), .*\(Portal\)/);
    expect(advisory.market_context.price_trends).toContain(one.slice(0, -1));
    expect(advisory.market_context.price_trends).toContain(other.slice(0, -1));
    expect(advisory.advisory_flag).toBe("LOW_CONFIDENCE");
    expect(advisory.confidence).toBeLessThan(alone.confidence);
    expect(contentViolations(advisory)).toEqual([]);
    expect(splitSentences(advisory.summary).length).toBeLessThanOrEqual(3);
  });

  it.each([
    ["Flat prices rose 6 % in 2026.", "Flat prices rose 8 % in 2026."],
    ["Flat prices rose 6 % in 2026.", "Flat prices fell 4 % in 2023."],
    ["Flat prices rose 6 % in 2026.", "Rents fell 4 % in 2026 in the city."],
    ["Flat prices rose 6 % in 2026.", "Mortgage rates fell to 8 % in 2026."],
    ["Flat prices rose 6 % in 2026.", "Villa prices fell 4 % in 2026."],
    ["Prices of 2-bedroom flats rose 6 % in 2026.", "Prices of 3-bedroom flats fell 4 % in 2026."],
    ["Prices in Gajuwaka rose 6 % in 2026.", "Prices in Rushikonda fell 4 % in 2026."],
    ["Prices rose in the q1 2026 quarter.", "Prices fell in the q2 2026 quarter."],
    ["The median price was ₹5,200 per sqft.", "The average price was ₹5,700 per sqft."],
    ["The median price was ₹5,200 per sqft.", "The average rent was ₹18,000 a month."],
    ["Flat prices did not rise in 2026.", "Flat prices were lower by 1 % in 2026."],
    ["Flat prices were stable in 2026.", "Flat prices rose 2 % in 2026."],
    ["The bypass opened in 2026.", "The bypass opened in 2025."],
  ])("are none, where subject, time, place, kind or band distinguish them: %s %s", (one, other) => {
    expect(over(one, other).summary).not.toContain("disagree");
  });

  it("are none within one source", () => {
    const both = [
      register("Flat prices rose 6 % in 2026."),
      register("Flat prices fell 4 % in 2026."),
    ];

    expect(write(query, both).summary).not.toContain("disagree");
  });

  it("are a source and the trend of data rows, too", () => {
    const { summary } = write(
      query,
      [portal("Flat prices in Vizag fell 6 % in 2026.")],
      vizagSales,
    );

    expect(summary).toContain(
      "Sources disagree on the direction of prices: a fall of 6 % (Portal), a rise of 5 % (Vizag Sales Register).",
    );
  });

  it("are data rows of two sources, where their medians are far apart", () => {
    const sales = (source: string, prices: readonly number[]) =>
      dataRows(
        prices.map((price) => ({
          date: "2026-06-01",
          property_type: "Apartment",
          price_lakhs: price,
        })),
        { source, document: `${source}.csv` },
      );
    const rows = [...sales("Register", [40, 41, 42]), ...sales("Portal", [60, 61, 62])];

    expect(write("flat prices in Vizag", [], rows).summary).toContain(
      "Sources disagree on the level of prices: median ₹41 lakhs (Register), median ₹61 lakhs (Portal).",
    );
    const close = [...sales("Register", [40, 41, 42]), ...sales("Portal", [44, 45, 46])];
    expect(write("flat prices in Vizag", [], close).summary).not.toContain("disagree");
  });

  it("do not matter to a question about risks", () => {
    const passages = [
      register("Flood losses rose and flat prices rose 6 % in 2026."),
      portal("Flat prices fell 4 % in 2026 after the flood."),
    ];

    expect(write("What are the flood risks in Vizag?", passages).summary).not.toContain("disagree");
  });
});

describe("the age of the sources", () => {
  it.each([
    ["2023-10-15", 36],
    ["2025-04-15", 18],
    ["2018", 105],
  ])("is in the summary when the newest is from %s: %d months", (date, months) => {
    const { summary } = write(query, [passage("Flat prices rose 6 % over a year.", { date })]);

    expect(summary).toContain(`The newest of these sources is ${months} months old.`);
  });

  it.each(["2026-09-20", "2025-11-01", undefined])("is not, when it is from %s", (date) => {
    const { summary } = write(query, [passage("Flat prices rose 6 % over a year.", { date })]);

    expect(summary).not.toContain("months old");
  });
});

describe("a question about the future", () => {
  it.each([
    "Will flat prices in Vizag rise?",
    "What is the forecast for rents in Vizag?",
    "flat price outlook in Vizag",
    "Are prices in Vizag going to fall?",
    "What could flats in Vizag cost next year?",
    "Where are Vizag flat prices likely to be in 5 years from now?",
    "flat prices in Vizag by 2030",
    "Predict property prices in Vizag",
  ])("gets no forecast, and that is said: %s", (asked) => {
    const { summary } = write(asked, [passage("Flat prices rose 6 % in 2026.")], vizagSales);

    expect(summary).toContain("No forecast is given");
  });

  it.each(["How have flat prices in Vizag changed?", "Is 48 lakhs fair for a 2BHK in Vizag?"])(
    "is not one about the past: %s",
    (asked) => {
      expect(
        write(asked, [passage("Flat prices rose 6 % in 2026.")], vizagSales).summary,
      ).not.toContain("forecast");
    },
  );

  it("and about a dispute of old sources is answered with all three, in three sentences", () => {
    const old = { date: "2023-10-15" };
    const { summary } = write("Will flat prices in Vizag rise?", [
      passage("Flat prices rose 6 % in 2023.", { ...old, source: "Register", document: "a.md" }),
      passage("Flat prices fell 4 % in 2023.", { ...old, source: "Portal", document: "b.md" }),
    ]);

    expect(summary).toContain("No forecast is given");
    expect(summary).toContain("Sources disagree on the direction");
    expect(summary).toContain("36 months old");
    expect(splitSentences(summary).length).toBeLessThanOrEqual(3);
  });
});
