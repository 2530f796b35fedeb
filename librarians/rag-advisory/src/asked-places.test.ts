import { describe, expect, it } from "vitest";
import { dataRows, passage, testNow } from "../test/sample-market.js";
import { storeOf } from "../test/stores.js";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";

const sales = (city: string, lakhs: readonly number[], locality?: string) =>
  dataRows(
    lakhs.map((price) => ({
      date: "2026-06-01",
      property_type: "Apartment",
      bhk: 2,
      price_lakhs: price,
      ...(locality !== undefined && { locality }),
    })),
    { city, document: `${city}.csv` },
  );
const wholeCountry = passage(
  "Apartment prices in India rose 6 % in the year to August 2026. Demand for flats grew in 2026.",
  { city: undefined, document: "india.md" },
);

async function ask(query: string) {
  const { librarian } = createRagAdvisoryLibrarian({
    store: await storeOf([
      wholeCountry,
      passage("RERA registration is required for projects in India since 2017.", {
        city: undefined,
        document: "rera.md",
      }),
      ...sales("Hyderabad", [70, 72, 74, 76], "Gachibowli"),
      ...sales("Pune", [90, 91, 92, 93]),
    ]),
    country: "IN",
    now: () => testNow,
  });
  return librarian(query);
}

describe("the place of a question", () => {
  it.each([
    "flat prices in Wakanda",
    "flat prices in foobarpur",
    "What do flats cost in Zzyzx, India?",
    "RERA registration of flats in Atlantis, India",
  ])("is never its country, where no list and no source has it: %s", async (query) => {
    const { answer, error } = await ask(query);

    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "no-information" } });
    expect(error?.message).toContain("No list of places has");
  });

  it("is a place that only a source names", async () => {
    const { librarian } = createRagAdvisoryLibrarian({
      store: await storeOf([
        passage("Flat prices in Ramnagarpet rose 4 % in 2026.", { city: "Ramnagarpet" }),
      ]),
      country: "IN",
      now: () => testNow,
    });

    expect((await librarian("flat prices in Ramnagarpet")).answer).toContain("4 %");
  });

  it("is the country, where the question is about it", async () => {
    expect((await ask("apartment prices in India")).error).toBeUndefined();
  });

  it("is the city of a locality, and the answer begins with that", async () => {
    const { answer } = await ask("2bhk flat prices in gachibowli");

    expect(answer).toMatch(/^Gachibowli was read as a part of Hyderabad\./);
    expect(answer).toContain("74");
  });

  it("is a state: its cities only", async () => {
    const { answer = "" } = await ask("2bhk flat prices in Telangana");

    expect(answer).toContain("₹73 lakhs");
    expect((await ask("2bhk flat prices in Kerala")).answer ?? "").not.toContain("₹");
  });

  it("is asked back, where several have the name", async () => {
    const { error } = await ask("flat prices in Aurangabad");

    expect(error).toMatchObject({ code: "INVALID_QUERY" });
    expect(error?.message).toContain("Aurangabad, Bihar (IN)");
  });

  it.each(["Combien coûte un appartement dans la ville de Pune ?", "పూణేలో ఫ్లాట్ ధర ఎంత?"])(
    "is not guessed from a language that is not read: %s",
    async (query) => {
      const { error } = await ask(query);

      expect(error).toMatchObject({ code: "INVALID_QUERY" });
      expect(error?.message).toMatch(/^The question reads as (?:French|Telugu)/);
    },
  );

  describe("that two states have", () => {
    const springfield = (text: string, region: string | undefined, document: string) =>
      passage(text, { country: "US", city: "Springfield", region, document });
    const librarian = async () =>
      createRagAdvisoryLibrarian({
        store: await storeOf([
          springfield("Condo prices rose 4 % in 2026; supply is steady.", "Illinois", "il.md"),
          springfield("Condo prices fell 9 % in 2026; supply grew.", "MO", "mo.md"),
          springfield("In Springfield, Ohio condo prices fell 7 % in 2026.", undefined, "oh.md"),
        ]),
        now: () => testNow,
      }).librarian;

    it("is asked back", async () => {
      const { answer, error } = await (await librarian())("condo prices in Springfield");

      expect(answer).toBeUndefined();
      expect(error?.message).toContain("Springfield, Illinois");
      expect(error?.message).toContain("Springfield, Missouri");
    });

    it.each([
      ["Springfield, IL", "rose 4 %", /fell [79] %/],
      ["Springfield, Missouri", "fell 9 %", /rose 4 %|fell 7 %/],
    ])("is answered from the sources of its own state: %s", async (place, own, other) => {
      const { answer } = await (await librarian())(`condo prices in ${place}`);

      expect(answer).toContain(own);
      expect(answer).not.toMatch(other);
    });
  });
});
