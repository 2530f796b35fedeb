import { describe, expect, it } from "vitest";
import { dataRows, testNow } from "../test/sample-market.js";
import { storeOf } from "../test/stores.js";
import { gloss } from "./question/gloss.js";
import { romanize } from "./question/romanize.js";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";

type Row = Readonly<Record<string, string | number>>;

async function ask(
  query: string,
  rows: readonly (readonly [city: string | undefined, row: Row])[],
) {
  const chunks = rows.flatMap(([city, row], at) =>
    dataRows([row], { city, document: `${at}.csv` }),
  );
  const { librarian } = createRagAdvisoryLibrarian({
    store: await storeOf(chunks),
    country: "IN",
    now: () => testNow,
  });
  return librarian(query);
}

const kiel: readonly (readonly [string, Row])[] = [
  ["Kiel", { stadtteil: "Gaarden", kaufpreis_eur: 210_000, wohnfläche_qm: 60 }],
  ["Kiel", { stadtteil: "Wik", kaufpreis_eur: 333_000, wohnfläche_qm: 90 }],
];

describe("a question in another language", () => {
  it("in German is answered from rows with German columns", async () => {
    const { answer } = await ask("Was kosten Wohnungen in Gaarden?", kiel);

    expect(answer).toContain("€210k");
    expect(answer).not.toContain("€333k");
  });

  it("in Spanish is converted as asked", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      [
        "Cádiz",
        { vivienda: "Piso 12B", barrio: "La Viña", superficie_m2: 50, precio_eur: 150_000 },
      ],
    ];
    const { answer } = await ask("¿Cuántos pies cuadrados tiene el piso 12B en La Viña?", rows);

    expect(answer).toContain("538 sqft");
    expect(answer).toContain("1 sqm = 10.7639 sqft");
  });

  it("in Hindi finds a place in Devanagari", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["भोपाल", { इलाका: "अरेरा कॉलोनी", कीमत_लाख: 72 }],
      ["भोपाल", { इलाका: "कोलार रोड", कीमत_लाख: 41 }],
    ];
    const { answer } = await ask("कोलार रोड में मकान की कीमत क्या है?", rows);

    expect(answer).toContain("₹41 lakhs");
    expect(answer).not.toContain("₹72 lakhs");
  });

  it("in Hinglish sets places side by side", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Surat", { locality: "Vesu", price_lakhs: 61 }],
      ["Rajkot", { locality: "Kalawad Road", price_lakhs: 48 }],
    ];
    const { answer } = await ask("Vesu aur Kalawad Road mein flat kitne ke hain?", rows);

    expect(answer).toContain("₹61 lakhs");
    expect(answer).toContain("₹48 lakhs");
  });

  it("keeps a name of rows that has words of grammar", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Burgos", { barrio: "Fuente de Toro", precio_eur: 120_000 }],
      ["Toro", { barrio: "Centro", precio_eur: 200_000 }],
    ];
    const { answer } = await ask("¿Cuánto cuestan los pisos en Fuente de Toro?", rows);

    expect(answer).toContain("€120k");
    expect(answer).not.toContain("€200k");
  });

  it("names what the sources do not have", async () => {
    const { error } = await ask("Welche Genehmigung braucht man für einen Anbau in Wik?", kiel);

    expect(error).toMatchObject({ code: "NOT_FOUND" });
    expect(error?.message).toContain('"permit" in Wik, Kiel');
  });

  it("is read word by word, its names as they are", () => {
    expect(gloss("Wie hoch ist die Miete in der Südstadt?").query).toContain("rent in Südstadt");
    expect(gloss("Aundh mein 3,500 per sqft maang rahe hain").query).toContain(
      "in Aundh 3,500 per",
    );
    expect(gloss("What do flats cost in Leeds?")).toEqual({
      query: "What do flats cost in Leeds?",
    });
    expect(["कितना", "मकान", "जयपुर", "मुंबई"].map(romanize)).toEqual([
      "kitna",
      "makan",
      "jaipur",
      "mumbai",
    ]);
  });
});

describe("a place that the rows name", () => {
  it.each([
    ["Goa", undefined],
    ["Tura", "Meghalaya"],
  ])("is asked back where rows of several places have its name: %s", async (_, region) => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Navapur", { locality: "Lakhipur", price_lakhs: 30, ...(region && { state: region }) }],
      ["Devgarh", { locality: "Lakhipur", price_lakhs: 90 }],
    ];
    const { error } = await ask("Flat prices in Lakhipur?", rows);

    expect(error).toMatchObject({ code: "INVALID_QUERY" });
    expect(error?.message).toContain("Lakhipur, Navapur");
    expect(error?.message).toContain("Lakhipur, Devgarh");
  });

  it("wins over a city abroad with a part of its name", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Dubai", { community: "Dubai Hills", price_aed: 2_100_000 }],
    ];

    expect((await ask("Recorded prices in Dubai Hills?", rows)).answer).toContain("AED 2.1m");
  });

  it("is a street by its name, whatever the number of the house", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Salem", { address: "12 Harbour View Rd", price_usd: 410_000 }],
      ["Salem", { address: "3 Mill Lane", price_usd: 290_000 }],
    ];
    const { answer } = await ask("What is recorded for Harbour View Rd in Salem?", rows);

    expect(answer).toContain("$410k");
    expect(answer).not.toContain("$290k");
  });

  it("is of the country that its state is in", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Portland", { neighborhood: "Kerns", rent_usd_per_sqft: 2.25, state: "Oregon" }],
    ];
    const { answer } = await ask("What is the rent in Kerns?", rows);

    expect(answer).toContain("monthly rent $2.25/sqft");
  });

  it("is one that a column of any name holds", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Bern", { quartier: "Länggasse", preis_chf: 900_000, zustand: "Renoviert" }],
      ["Bern", { quartier: "Breitenrain", preis_chf: 700_000, zustand: "Renoviert" }],
    ];
    const { answer } = await ask("Vergleiche die Preise in Länggasse und in Bümpliz.", rows);

    expect(answer).toContain("CHF 900k");
    expect(answer).not.toContain("CHF 700k");
    expect(answer).toContain('No list of places has "Bümpliz"');
  });

  it("says what a column holds that the question names, whatever a note in brackets adds", async () => {
    const fee = "hoa_fee_monthly_usd (dues of the association per month)";
    const rows: readonly (readonly [string, Row])[] = [
      ["Tulsa", { subdivision: "Maple Ridge", price_usd: 300_000, [fee]: 145 }],
      ["Tulsa", { subdivision: "Brady Heights", price_usd: 200_000, [fee]: 80 }],
    ];
    const { answer } = await ask("What HOA fee do houses in Maple Ridge have?", rows);

    expect(answer).toContain("hoa fee monthly usd (dues of the association per month): 145");
    expect(answer).not.toContain("80");
  });

  it("shows rents that are given for a week as such", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Leeds", { flat: "Unit 2", suburb: "Headingley", rent_gbp_week: 120 }],
      ["Leeds", { flat: "Unit 6", suburb: "Armley", rent_gbp_week: 90 }],
    ];
    const { answer } = await ask("What is the rent of Unit 2 in Headingley?", rows);

    expect(answer).toContain("monthly rent £520");
    expect(answer).toContain("£120 a week");
    expect(answer).not.toContain("£90");
  });

  it("is about property where an amount of a town of the rows is asked", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Porthmadog", { house: "3 High St", price_gbp: 172_000 }],
    ];
    const { answer } = await ask("How much is asked in Porthmadog?", rows);

    expect(answer).toContain("£172k");
  });

  it("says how large a property is, asked in Hindi", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Nagpur", { plot: "Plot 7", layout: "Besa", area_sqft: 1_800, price_lakhs: 45 }],
      ["Nagpur", { plot: "Plot 18", layout: "Besa", area_sqft: 1_500, price_lakhs: 52 }],
    ];
    const { answer } = await ask("Besa ke Plot 7 ka area kitna hai?", rows);

    expect(answer).toContain("1,800 sqft");
    expect(answer).not.toContain("1,500");
  });

  it("is one property by the label of its number", async () => {
    const rows: readonly (readonly [string | undefined, Row])[] = [
      [undefined, { survey_no: 14, village: "Palur", area_acres: 2 }],
      [undefined, { survey_no: 15, village: "Palur", area_acres: 5 }],
    ];
    const { answer } = await ask("How many cents is survey number 14 in Palur?", rows);

    expect(answer).toContain("200 cent");
    expect(answer).not.toContain("500 cent");
  });

  it("is matched by its sound where the question is in Devanagari and the rows are not", async () => {
    const rows: readonly (readonly [string | undefined, Row])[] = [
      ["Noida", { tower: "Skyline B-1203", sector: "Sector 150", price_cr: 1.35 }],
      ["Noida", { tower: "Meadow C-11", sector: "Sector 76", price_cr: 0.98 }],
    ];
    const { answer } = await ask("सेक्टर 76, नोएडा में फ्लैट कितने का है?", rows);

    expect(answer).toContain("₹98 lakhs");
    expect(answer).not.toContain("1.35");
  });

  it("may stand before its city, in a list of others, or behind the words for another", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Ludhiana", { area: "Model Town", price_lakhs: 145 }],
      ["Jalandhar", { area: "Model Town", price_lakhs: 98 }],
      ["Jalandhar", { area: "Basti", price_lakhs: 41 }],
    ];
    const own = await ask("Jalandhar ke Model Town mein kothi kitne ki hai?", rows);
    const list = await ask("Flat prices in Basti, Jalandhar and in Amritsar?", rows);

    expect(own.answer).toContain("₹98 lakhs");
    expect(own.answer).not.toMatch(/145|Ludhiana/);
    expect(list.answer).toContain("₹41 lakhs");
    expect(list.answer).toContain("Amritsar");
  });

  it("is that of a property which the question names, whatever place has a part of its name", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Boise", { address: "18 Austin Ave", area: "Foothills", price_usd: 452_000 }],
      ["Boise", { address: "7 Cedar Ln", area: "North End", price_usd: 610_000 }],
    ];
    const { answer } = await ask("18 Austin Ave kitne lakh ka hai?", rows);

    expect(answer).toContain("$452k");
    expect(answer).not.toMatch(/610|₹/);
  });

  it("is named in a refusal, where the question is about something else", async () => {
    const { error } = await ask("Who won the cup in Gaarden?", kiel);

    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "out-of-domain" } });
    expect(error?.message).toContain("data rows of Gaarden");
  });

  it("has its rules asked, not its prices, by a question that asks what one may", async () => {
    const { error } = await ask("Can a foreigner own a flat in Gaarden?", kiel);

    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "no-information" } });
  });
});

describe("a unit whose size differs by state", () => {
  const fields: readonly (readonly [string, Row])[] = [
    ["Alwar", { khet: "Khet 3", gaon: "Rampura", area_bigha: 4, price_lakhs: 28 }],
    ["Alwar", { khet: "Khet 8", gaon: "Rampura", area_bigha: 6.5, price_lakhs: 49 }],
  ];

  it("is shown as the rows have it", async () => {
    const { answer } = await ask("रामपुरा, अलवर के Khet 8 का क्षेत्रफल कितना है?", fields);

    expect(answer).toContain("6.5 bigha");
  });

  it("is not converted", async () => {
    const { answer } = await ask("How many acres is Khet 8 in Rampura?", fields);

    expect(answer).toContain("6.5 bigha");
    expect(answer).toContain("differs by state");
    expect(answer).not.toMatch(/\d acre/);
  });

  it("is one that no list has, where a column of areas names it", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Kyoto", { house: "Machiya 3", ward: "Kamigyo", area_tsubo: 24, price_jpy: 38_000_000 }],
      ["Kyoto", { house: "Gion 9", ward: "Higashiyama", area_tsubo: 17, price_jpy: 52_000_000 }],
    ];
    const { answer } = await ask("How large is Gion 9 in Higashiyama, Kyoto?", rows);

    expect(answer).toContain("17 tsubo");
  });
});

describe("a rent", () => {
  it("that is given for a year or a night is shown as such, where no row has a price", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Kiel", { viertel: "Wik", miete_eur_jahr: 17_400 }],
      ["Krems", { gasthaus: "Zum Anker", preis_eur_nacht: 97 }],
    ];

    expect((await ask("How much is the office in Wik, Kiel?", rows)).answer).toContain(
      "€17.4k a year",
    );
    expect((await ask("What does a room of the Zum Anker in Krems cost?", rows)).answer).toContain(
      "€97 a night",
    );
  });
});

describe("a city whose name has a part in brackets", () => {
  it("is not the other one", async () => {
    const rows: readonly (readonly [string, Row])[] = [
      ["Halle (Saale)", { haus: "Ringstr. 4", preis_eur: 247_000 }],
      ["Halle (Westfalen)", { haus: "Kirchweg 8", preis_eur: 356_000 }],
    ];
    const { answer } = await ask("Was kostet das Haus in Halle (Westfalen)?", rows);

    expect(answer).toContain("€356k");
    expect(answer).not.toContain("€247k");
  });
});
