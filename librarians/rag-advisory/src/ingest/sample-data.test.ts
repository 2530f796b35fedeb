import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createMemoryStore } from "../store/memory-store.js";
import type { StoreCountry } from "../store/vector-store.js";
import { ingest } from "./ingest.js";

const folder = fileURLToPath(new URL("../../sample-data/", import.meta.url));

const mainCities: readonly (readonly [StoreCountry, string])[] = [
  ["IN", "Visakhapatnam"],
  ["IN", "Bengaluru"],
  ["IN", "Hyderabad"],
  ["US", "Austin"],
  ["UK", "Manchester"],
];

it("the sample data is taken in whole, and says everywhere that it is invented", async () => {
  const store = createMemoryStore();

  const report = await ingest(store, [folder], { root: folder });

  expect(report).toMatchObject({ files: 15, removed: 0, problemCount: 0 });
  expect(report.added).toBe(report.chunks);
  for (const country of ["IN", "US", "UK"] as const) {
    const rows = await store.rows({ country, limit: 100_000 });
    const found = await store.search({ text: "market sales", country, limit: 1_000 });
    for (const { metadata } of [...rows, ...found.map(({ chunk }) => chunk)]) {
      expect(metadata.source).toContain("(invented)");
    }
  }
  for (const file of readdirSync(join(folder, "notes"))) {
    expect(readFileSync(join(folder, "notes", file), "utf8")).toContain("Invented sample data");
  }
});

it.each(mainCities)("the sample data has enough of %s, %s to compare", async (country, city) => {
  const store = createMemoryStore();
  await ingest(store, [folder], { root: folder });

  const rows = (await store.rows({ country, city, limit: 1_000 })).map(({ metadata }) => metadata);

  const dates = rows.map(({ date = "" }) => date).sort();
  expect(rows.filter(({ row }) => row?.price !== undefined).length).toBeGreaterThanOrEqual(30);
  expect(rows.filter(({ row }) => row?.rent_per_month !== undefined).length).toBeGreaterThanOrEqual(
    30,
  );
  expect(dates[0]).toMatch(/^2024-11/);
  expect(dates.at(-1)).toMatch(/^2026-10/);
});
