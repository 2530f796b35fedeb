import type { Chunk, ChunkMetadata, ChunkRow } from "../src/store/vector-store.js";

/** When the tests of this package take place. */
export const testNow = Date.parse("2026-10-15T09:00:00Z");

/** A passage for tests. */
export function passage(text: string, metadata: Partial<ChunkMetadata> = {}): Chunk {
  const full: ChunkMetadata = {
    country: "IN",
    document: "notes.md",
    source: "Vizag Market Notes",
    sourceType: "MARKET_DATA",
    city: "Visakhapatnam",
    date: "2026-09-20",
    ...metadata,
  };
  return { id: `${full.document}:${text.slice(0, 60)}`, text, metadata: full };
}

/** Data rows for tests, in the order given. */
export function dataRows(
  rows: readonly ChunkRow[],
  metadata: Partial<ChunkMetadata> = {},
): readonly Chunk[] {
  return rows.map((row, at) => {
    const full: ChunkMetadata = {
      country: "IN",
      document: "sales.csv",
      source: "Vizag Sales Register",
      sourceType: "GOVERNMENT",
      city: "Visakhapatnam",
      date: String(row.date ?? "2026-06-01"),
      ...metadata,
      row,
    };
    const text = Object.entries(row)
      .map(([key, cell]) => `${key}: ${cell}`)
      .join("; ");
    return { id: `${full.document}#${at}`, text, metadata: full };
  });
}

/** Sales of 2-bedroom flats in Vizag in two years, at prices that rise by a twentieth. */
export const vizagSales = dataRows(
  [42, 43, 44, 45, 46, 47, 48].flatMap((lakhs, at) => [
    {
      date: `2025-0${at + 1}-10`,
      property_type: "Apartment",
      bhk: 2,
      price_lakhs: lakhs,
      area_sqft: 1_000,
    },
    {
      date: `2026-0${at + 1}-10`,
      property_type: "Apartment",
      bhk: 2,
      price_lakhs: Math.round(lakhs * 105) / 100,
      area_sqft: 1_000,
    },
  ]),
);

/** What two sources say about Vizag. */
export const vizagNotes: readonly Chunk[] = [
  passage(
    "# Vizag\n\nApartment prices in Visakhapatnam rose 8 % in the year to August 2026. Supply and demand for flats are balanced. The new airport at Bhogapuram is under construction. Low-lying parts of Gajuwaka flood in heavy rain.",
  ),
  passage(
    "RERA registration is required for apartment projects above 500 sqm in Andhra Pradesh. The register of projects in Visakhapatnam is public.",
    {
      document: "rera.md",
      source: "RERA Andhra Pradesh",
      sourceType: "REGULATORY",
      url: "https://rera.ap.gov.in",
      date: "2026-08-01",
    },
  ),
];
