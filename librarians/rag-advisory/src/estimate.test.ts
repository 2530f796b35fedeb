import { describe, expect, it } from "vitest";
import { createEstimate } from "./estimate.js";

const estimate = createEstimate({ served: ["UK"], country: undefined });
const chanceOf = async (query: string) => {
  const probe = { query, signal: AbortSignal.timeout(60_000), deadline: Number.POSITIVE_INFINITY };
  return (await estimate(probe))?.chance;
};

describe("the estimate of what it could answer", () => {
  it("has a chance for property where it serves, the better where a place is named", async () => {
    const place = await chanceOf("What do houses cost in Manchester?");
    const country = await chanceOf("How do rents of flats develop in the United Kingdom?");

    expect(place).toBeGreaterThan(country ?? 1);
    expect(country).toBeGreaterThan(0.5);
  });

  it.each([
    ["another subject", "Why do pods crash in Manchester?"],
    ["a country that is not served", "What do houses cost in Spain?"],
    ["no country at all", "What does a house with a garden cost?"],
    ["a language that is not read", "Combien coûte un appartement dans la ville de Manchester ?"],
  ])("has none for %s", async (_, query) => {
    expect(await chanceOf(query)).toBe(0);
  });
});
