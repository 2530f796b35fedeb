import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testNow } from "../test/sample-market.js";
import { ingest } from "./ingest/ingest.js";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";
import { createMemoryStore } from "./store/memory-store.js";

interface Case {
  readonly of: string;
  readonly csv: string;
  readonly country?: "IN" | "US" | "UK";
  readonly question: string;
  readonly says: readonly (string | RegExp)[];
  readonly neverSays: readonly (string | RegExp)[];
}

const flats = (column: string, ...rows: readonly string[]) =>
  [`city,locality,property_type,bhk,${column},date`, ...rows].join("\n");
const plots = (area: string, price: string, ...rows: readonly string[]) =>
  [`city,locality,property_type,${area},${price},date`, ...rows].join("\n");

const nagpur = flats(
  "price_lakhs",
  "Nagpur,Wardha Road,Apartment,2,61,2026-05-01",
  "Nagpur,Wardha Road,Apartment,2,63,2026-06-01",
  "Nagpur,Dharampeth,Apartment,2,95,2026-06-01",
  "Nagpur,Dharampeth,Apartment,2,97,2026-07-01",
  "Nagpur,Dharampeth,Apartment,2,99,2026-08-01",
  "Wardha,Ramnagar,Apartment,2,28,2026-06-01",
  "Wardha,Ramnagar,Apartment,2,29,2026-07-01",
  "Wardha,Ramnagar,Apartment,2,31,2026-07-01",
);
const land = plots(
  "area_gunta",
  "price_lakhs",
  "Mysuru,Hebbal,Plot,2,40,2026-05-01",
  "Mysuru,Hebbal,Plot,4,88,2026-06-01",
  "Mysuru,Hebbal,Plot,8,168,2026-07-01",
);
const two = [
  "country,city,property_type,bedrooms,price,currency,date",
  "IN,Pune,Apartment,2,9000000,INR,2026-05-01",
  "IN,Pune,Apartment,2,9200000,INR,2026-06-01",
  "IN,Pune,Apartment,2,9400000,INR,2026-07-01",
  "US,Austin,Apartment,2,410000,USD,2026-05-01",
  "US,Austin,Apartment,2,420000,USD,2026-06-01",
  "US,Austin,Apartment,2,430000,USD,2026-07-01",
].join("\n");
const dollars = flats(
  "price_usd",
  "Hyderabad,Kokapet,Apartment,3,210000,2026-05-01",
  "Hyderabad,Kokapet,Apartment,3,220000,2026-06-01",
  "Hyderabad,Kokapet,Apartment,3,230000,2026-07-01",
);
const springfield = [
  "city,state,property_type,bedrooms,price,date",
  "Springfield,Illinois,House,3,150000,2026-06-01",
  "Springfield,Illinois,House,3,152000,2026-06-01",
  "Springfield,Massachusetts,House,3,290000,2026-06-01",
  "Springfield,Massachusetts,House,3,295000,2026-06-01",
  "Springfield,Massachusetts,House,3,299000,2026-06-01",
].join("\n");

const cases: readonly Case[] = [
  {
    of: "the currency of a column",
    csv: dollars,
    question: "What do 3BHK flats cost in Kokapet, Hyderabad?",
    says: ["$220k"],
    neverSays: ["₹", "lakh"],
  },
  {
    of: "the currency of a column, asked in another",
    csv: dollars,
    question: "What do 3BHK flats cost in Hyderabad in lakhs?",
    says: ["$220k", "not converted"],
    neverSays: [/₹|\d ?lakh/],
  },
  {
    of: "a currency that no country here has",
    csv: flats(
      "price_eur",
      "Mumbai,Worli,Apartment,2,310000,2026-05-01",
      "Mumbai,Worli,Apartment,2,320000,2026-06-01",
    ),
    question: "flat prices in Worli, Mumbai",
    says: ["€310k", "€320k"],
    neverSays: ["₹", "lakh"],
  },
  {
    of: "the currency of a cell",
    csv: flats(
      "price",
      'Hyderabad,Kokapet,Apartment,3,"$210,000",2026-05-01',
      'Hyderabad,Kokapet,Apartment,3,"$220,000",2026-05-01',
      'Hyderabad,Kokapet,Apartment,3,"$230,000",2026-05-01',
    ),
    question: "flat prices in Hyderabad",
    says: ["$220k"],
    neverSays: ["₹", "lakh"],
  },
  {
    of: "an area in another unit",
    csv: land,
    question: "How large are plots in Hebbal, Mysuru in square feet?",
    says: ["4,356 sqft", "1 gunta = 1,089 sqft"],
    neverSays: [/(?<![\d,])[248] sqft/],
  },
  {
    of: "a price for another unit",
    csv: land,
    question: "What is the price per acre of land in Mysuru?",
    says: ["/acre", /₹8\.4 crore/],
    neverSays: ["/sqft"],
  },
  {
    of: "a price for the unit of a column",
    csv: land,
    question: "What is the rate per gunta of plots in Mysuru?",
    says: ["₹21 lakhs/gunta"],
    neverSays: ["/sqft"],
  },
  {
    of: "a locality with the name of a city in it",
    csv: nagpur,
    question: "What do 2BHK flats cost on Wardha Road, Nagpur?",
    says: ["₹61 lakhs", "₹63 lakhs"],
    neverSays: [/\b(?:95|97|99|28|29|31)\b/],
  },
  {
    of: "a locality",
    csv: nagpur,
    question: "2BHK flat prices in Dharampeth, Nagpur",
    says: ["₹97 lakhs"],
    neverSays: [/\b(?:61|63|28|29|31) lakhs/],
  },
  {
    of: "two places",
    csv: nagpur,
    question: "Compare 2BHK flat prices in Nagpur and Wardha",
    says: ["₹95 lakhs", "₹29 lakhs"],
    neverSays: [],
  },
  {
    of: "two places of two countries",
    csv: two,
    question: "What do 2-bedroom apartments cost in Pune and in Austin?",
    says: ["₹92 lakhs", "$420k"],
    neverSays: ["$92", "₹4.2"],
  },
  {
    of: "two places of which one is missing",
    csv: nagpur,
    question: "2BHK flat prices in Nagpur or Amravati?",
    says: ["₹95 lakhs", /no information about[^.]*Amravati/i],
    neverSays: [],
  },
  {
    of: "a name of two places",
    csv: springfield,
    country: "US",
    question: "What do houses cost in Springfield?",
    says: ["Illinois", "Massachusetts"],
    neverSays: ["$"],
  },
  {
    of: "an amount of the question in another currency",
    csv: nagpur,
    question: "Is $90,000 fair for a 2BHK flat in Dharampeth, Nagpur?",
    says: ["₹97 lakhs", "$90k is not compared"],
    neverSays: [/90 % |below that median/],
  },
  {
    of: "an amount of the question",
    csv: nagpur,
    question: "Is 2 crore fair for a 2BHK in Dharampeth, Nagpur?",
    says: ["₹2 crore is 106 % above"],
    neverSays: [],
  },
  {
    of: "what the records do not have",
    csv: nagpur,
    question: "Which permits do I need to convert a flat in Nagpur into an office?",
    says: [/no information about[^.]*permit/i],
    neverSays: ["lakhs"],
  },
  {
    of: "a yield without data",
    csv: nagpur,
    question: "What is the rental yield of flats in Nagpur?",
    says: [/no information about[^.]*yield/i],
    neverSays: ["lakhs"],
  },
  {
    of: "a unit whose size its column says",
    csv: plots(
      "area (1 bigha = 17424 sqft)".replace("area", "area bigha"),
      "price_lakhs",
      "Patna,Danapur,Plot,1,40,2026-05-01",
      "Patna,Danapur,Plot,3,120,2026-06-01",
    ),
    question: "How large are plots in Danapur, Patna in acres?",
    says: ["0.4 acre", "1.2 acre", "1 acre = 2.5 bigha"],
    neverSays: ["3 acre"],
  },
  {
    of: "a unit whose size nobody says",
    csv: plots(
      "area_sqft",
      "price_lakhs",
      "Patna,Danapur,Plot,1200,40,2026-05-01",
      "Patna,Danapur,Plot,2400,81,2026-06-01",
    ),
    question: "How many bighas are plots in Danapur, Patna?",
    says: ["1,200 sqft", "bigha differs by state"],
    neverSays: [/\d bigha/],
  },
  {
    of: "a column in another language",
    csv: "stadt,stadtteil,objektart,zimmer,kaufpreis_eur\nPune,Baner,Apartment,2,110000\nPune,Baner,Apartment,2,120000",
    question: "2BHK flat prices in Baner, Pune",
    says: ["€110k", "€120k"],
    neverSays: ["₹"],
  },
  {
    of: "three places",
    csv: nagpur,
    question: "2BHK flat prices in Nagpur, Wardha and Xanadupur",
    says: ["₹95 lakhs", "₹29 lakhs", /Xanadupur/],
    neverSays: [],
  },
  {
    of: "a place that no row has",
    csv: nagpur,
    question: "What do 2BHK flats cost in Solapur?",
    says: [/no information about[^.]*Solapur/],
    neverSays: ["lakhs"],
  },
  {
    of: "a locality without its city",
    csv: nagpur,
    question: "What do 2BHK flats cost in Dharampeth?",
    says: ["₹97 lakhs"],
    neverSays: [/\b(?:61|63|28|29|31) lakhs/],
  },
  {
    of: "a part that no row is of",
    csv: nagpur,
    question: "What do 2BHK flats cost in Sadar, Nagpur?",
    says: ["No data row is of Sadar"],
    neverSays: [/\b(?:28|29|31) lakhs/],
  },
  {
    of: "a locality of two cities",
    csv: flats(
      "price_lakhs",
      "Nagpur,Kamptee Line,Apartment,2,51,2026-05-01",
      "Wardha,Kamptee Line,Apartment,2,33,2026-05-01",
    ),
    question: "flat prices in Kamptee Line",
    says: ["Kamptee Line, Nagpur", "Kamptee Line, Wardha"],
    neverSays: ["₹"],
  },
  {
    of: "rows of two currencies",
    csv: two.replaceAll("US,Austin", "IN,Pune"),
    question: "flat prices in Pune in dollars",
    says: ["$420k", "3 data rows in INR are left out"],
    neverSays: ["₹"],
  },
  {
    of: "one property by its name",
    csv: "plot_no,city,area_gunta,price_lakhs\n41/2,Mysuru,8,36\n41/3,Mysuru,12,60\n5/41/2,Mysuru,3,11",
    question: "How large is plot 41/2 in Mysuru in square feet?",
    says: ["8,712 sqft"],
    neverSays: ["13,068", "3,267"],
  },
  {
    of: "a place at the end of a sentence",
    csv: flats("price_lakhs", "Nagpur,Kamptee Line,Apartment,2,51,2026-05-01"),
    question: "The seller wants 70 lakhs for a flat in Kamptee Line. How does that compare?",
    says: ["₹51 lakhs", "₹70 lakhs lies above"],
    neverSays: ["Line. How"],
  },
  {
    of: "the area of one row",
    csv: "parcel,road,town,area_acres,price_usd\nParcel A,Oak Creek Rd,Darby,40.5,385000\nParcel B,Oak Creek Rd,Darby,12.7,149000",
    country: "US",
    question: "How much land does Parcel B on Oak Creek Rd have?",
    says: [/12\.7 acre/],
    neverSays: [/40\.5/],
  },
  {
    of: "a fee",
    csv: "slip,pier,town,fee_usd_day\nSlip 14,North Pier,Astoria,44\nSlip 3,South Pier,Astoria,39",
    country: "US",
    question: "What is the fee for Slip 3 at the South Pier, Astoria?",
    says: [/monthly fee/, /39[^.]*day/],
    neverSays: [/\b44\b/, /: price/i, /rents/i],
  },
  {
    of: "a price where rows have a fee",
    csv: "slip,pier,town,fee_usd_day\nSlip 14,North Pier,Astoria,44\nSlip 3,South Pier,Astoria,39",
    country: "US",
    question: "What is the price of a house in Astoria?",
    says: [],
    neverSays: [/\b39\b|\b44\b/],
  },
  {
    of: "a column of towns",
    csv: "town,locality,property_type,price_gbp\nLeeds,Headingley,House,310000\nManchester,Didsbury,House,415000",
    country: "UK",
    question: "What do houses cost in Didsbury?",
    says: ["£415k"],
    neverSays: ["310"],
  },
  {
    of: "tenancy law",
    csv: nagpur,
    question: "How much deposit may a landlord ask from a tenant of a flat in Nagpur?",
    says: [/no information about[^.]*deposit/i],
    neverSays: ["lakhs"],
  },
];

it.each(cases)(
  "answers $of: $question",
  async ({ csv, country = "IN", question, says, neverSays }) => {
    const folder = mkdtempSync(join(tmpdir(), "rows-"));
    try {
      writeFileSync(join(folder, "rows.csv"), csv);
      const store = createMemoryStore();
      await ingest(store, [folder], { root: folder, country });
      const { librarian } = createRagAdvisoryLibrarian({ store, country, now: () => testNow });
      const { answer, error } = await librarian(question);
      const said = answer ?? `${error?.message}`;

      if (process.env.SHOW) console.log(question, "\n  ", said.slice(0, 420));
      for (const part of says) expect(said).toMatch(part);
      for (const part of neverSays) expect(said).not.toMatch(part);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
