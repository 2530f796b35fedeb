import { describe, expect, it } from "vitest";
import { countries } from "./countries.js";
import { findRegion, placesMeant, placesNamed, regionOfCode } from "./gazetteer.js";

describe("the gazetteer", () => {
  it("knows a city by its usual name and its others, with its state", () => {
    const names = ["Vizag", "Bombay", "bengaluru", "St Louis", "Newcastle upon Tyne"];

    expect(names.map((name) => placesNamed(name)[0]?.name)).toEqual([
      "Visakhapatnam",
      "Mumbai",
      "Bengaluru",
      "St. Louis",
      "Newcastle",
    ]);
    expect(findRegion("IN", "Vizag")).toBe("Andhra Pradesh");
    expect(findRegion("US", "Austin")).toBe("Texas");
  });

  it("takes a listed or a far larger city for the one that is meant", () => {
    const meant = (name: string) =>
      placesMeant(placesNamed(name)).map(({ country, region }) => `${region}, ${country}`);

    expect(meant("Birmingham")).toEqual(["England, UK"]);
    expect(meant("Portland")).toEqual(["Oregon, US"]);
    expect(meant("Whitefield")).toEqual(["Karnataka, IN"]);
    expect(meant("Aurangabad")).toEqual(["Maharashtra, IN", "Bihar, IN"]);
    expect(placesNamed("Wakanda")).toEqual([]);
  });

  it("reads the code of every state", () => {
    expect(["IL", "TX", "WV", "WY", "AL", "NH"].map(regionOfCode)).toEqual([
      "Illinois",
      "Texas",
      "West Virginia",
      "Wyoming",
      "Alabama",
      "New Hampshire",
    ]);
    const names = countries.US.regionCodes.filter((code) => code !== "DC").map(regionOfCode);
    expect(new Set(names).size).toBe(50);
    expect(regionOfCode("XX")).toBeUndefined();
  });
});
