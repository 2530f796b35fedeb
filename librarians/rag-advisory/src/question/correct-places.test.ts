import { describe, expect, it } from "vitest";
import { correctPlaces } from "./correct-places.js";
import { resolvePlaces } from "./resolve-places.js";

describe("correctPlaces", () => {
  it.each([
    ["flat prices in Vizg", "Vizg", "Vizag"],
    ["home prices in Asutin?", "Asutin", "Austin"],
    ["flat prices in bangalor", "bangalor", "Bangalore"],
    ["rents in Visakapatnam", "Visakapatnam", "Visakhapatnam"],
    ["houses near Manchestr, UK", "Manchestr", "Manchester"],
  ])("reads the misspelt city of %s", (query, written, read) => {
    const corrected = correctPlaces(query);

    expect(corrected.correction).toEqual({ written, read });
    expect(resolvePlaces(corrected.query)).toMatchObject({ kind: "one" });
  });

  it.each([
    "flat prices in Vizag",
    "house prices in Cork",
    "house prices in June",
    "homes in full ownership",
    "house prices in France",
    "flats in Atlantis",
    "rents in Goa",
  ])("leaves %s as it is", (query) => {
    expect(correctPlaces(query)).toEqual({ query });
  });

  it("leaves a name that is as close to two cities alone", () => {
    expect(correctPlaces("rents in Dxllas")).toMatchObject({ correction: { read: "Dallas" } });
    expect(correctPlaces("flats in Sxrat or Surab").correction?.read).toBe("Surat");
  });
});
