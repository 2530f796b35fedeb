import { describe, expect, it } from "vitest";
import { readCountry, servedCountries } from "../country/countries.js";
import { resolvePlaces } from "./resolve-places.js";
import { propertyWeight } from "./subject-words.js";
import { readQuestion } from "./understand.js";

const read = (query: string) => {
  const found = resolvePlaces(query);
  if (found.kind !== "one") throw new Error(`expected one country, got ${found.kind}`);
  return readQuestion(query, found.country, found.place);
};

describe("resolvePlaces", () => {
  it.each([
    ["Is 48 lakhs fair for a 2BHK in Vizag?", "IN", "Visakhapatnam"],
    ["Is 48 lakhs fair for a 2BHK in Kakinada?", "IN", "Kakinada"],
    ["rental yields in Austin?", "US", "Austin"],
    ["condo prices in Springfield, IL for $300k", "US", "Springfield"],
    ["house prices in Paris, Texas", "US", "Paris"],
    ["homes in Columbus, Georgia", "US", "Columbus"],
    ["flats in Salem for 50 lakhs", "IN", "Salem"],
    ["2bhk rent in gachibowli", "IN", "Hyderabad"],
    ["flats in Hyde Park, Leeds", "UK", "Leeds"],
    ["property prices in Telangana", "IN", "Telangana"],
    ["rents around the university in Leeds", "UK", "Leeds"],
    ["What do flats cost in Leeds, GB?", "UK", "Leeds"],
    ["3 bed semi in Reading for £350k", "UK", "Reading"],
    ["land prices in Great Britain", "UK", undefined],
    ["home values in the U.S.", "US", undefined],
    ["what does a flat in London cost for a buyer from India?", "UK", "London"],
    ["house prices in Birmingham, Alabama", "US", "Birmingham"],
    ["condo in Cambridge, MA", "US", "Cambridge"],
    ["flat in London, UK", "UK", "London"],
    ["a flat in Vizag for someone in Dubai", "IN", "Visakhapatnam"],
    ["rents in greater noida", "IN", "Greater Noida"],
  ])("%s is about %s, %s", (query, country, place) => {
    const found = resolvePlaces(query);

    expect(found).toMatchObject({ kind: "one", country });
    expect(found.kind === "one" ? found.place?.name : undefined).toBe(place);
  });

  it("RAG-007: reads GB and the usual spellings", () => {
    const written = [
      "IN",
      "india",
      "US",
      "usa",
      "United States",
      "UK",
      "GB",
      "the united kingdom",
      "FR",
      "",
    ];

    expect(written.map(readCountry)).toEqual([
      "IN",
      "IN",
      "US",
      "US",
      "US",
      "UK",
      "UK",
      "UK",
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["house prices in France", "France"],
    ["Are homes in Dubai expensive?", "the United Arab Emirates"],
    ["a flat in London, Canada", "Canada"],
    ["apartment rents in Côte d’Ivoire", "Côte d’Ivoire"],
  ])("%s is about another country: %s", (query, name) => {
    expect(resolvePlaces(query)).toEqual({ kind: "other", name });
  });

  it("says that several are named, or none", () => {
    expect(resolvePlaces("compare house prices in India and the UK")).toEqual({
      kind: "several",
      countries: ["IN", "UK"],
    });
    expect(resolvePlaces("what are rents in general, is it cheap for us").kind).toBe("none");
  });

  it("finds the places that are set side by side", () => {
    const places = ["Visakhapatnam", "Bengaluru"].map((name) => ({ place: { name } }));

    expect(resolvePlaces("compare Vizag and Bangalore prices")).toMatchObject({
      kind: "places",
      places,
    });
    expect(resolvePlaces("buy in Vizag or in Bengaluru?")).toMatchObject({
      kind: "places",
      places,
    });
    expect(resolvePlaces("a flat in Vizag with Swimming Pool").kind).toBe("one");
    expect(resolvePlaces("a flat in Vizag for someone from Pune").kind).toBe("one");
    expect(resolvePlaces("Vizag or Visakhapatnam flat prices").kind).toBe("one");
  });

  it.each([
    ["condo prices in Springfield", "Springfield, Illinois (US)"],
    ["flat prices in Aurangabad", "Aurangabad, Bihar (IN)"],
    ["homes in Chelsea", "Chelsea, London (UK)"],
    ["homes in Salem", "Salem, Tamil Nadu (IN)"],
  ])("asks back which of several places is meant: %s", (query, one) => {
    const found = resolvePlaces(query);

    expect(found.kind === "ambiguous" ? found.meant : []).toContain(one);
  });

  it("reads a locality as a part of its city", () => {
    expect(resolvePlaces("flats in Gachibowli")).toMatchObject({
      place: { name: "Hyderabad", locality: "Gachibowli", isKnown: true },
    });
  });

  it.each([
    ["house prices in wakanda", "wakanda"],
    ["rents in atlantis, india", "atlantis"],
    ["property prices in Zzyzx", "Zzyzx"],
    ["house prices in Paris, Texas", "Paris"],
  ])("knows that a place is unknown: %s", (query, name) => {
    const found = resolvePlaces(query);

    expect("place" in found ? found.place : undefined).toMatchObject({ name, isKnown: false });
  });

  it.each([
    "what is the trend in rents",
    "prices in rupees",
    "are homes in demand near metro stations",
    "property tax rules in India for NRIs",
    "flat sizes in square feet",
  ])("takes no other word for a place: %s", (query) => {
    const found = resolvePlaces(query);

    expect("place" in found ? found.place : undefined).toBeUndefined();
  });

  it("knows all names of a city", () => {
    const found = resolvePlaces("2BHK in Vizag");

    expect(found.kind === "one" ? found.place?.names : []).toEqual([
      "Vizag",
      "Visakhapatnam",
      "Vishakhapatnam",
    ]);
  });
});

describe("readQuestion", () => {
  it("reads kind of property, bedrooms, budget, area and intent", () => {
    expect(read("Is 48 lakhs fair for a 1,000 sqft 2BHK in Vizag?")).toMatchObject({
      propertyType: "apartment",
      bedrooms: 2,
      budget: { low: 4_800_000, high: 4_800_000 },
      area: 1_000,
      intent: "valuation",
    });
    expect(read("three-bed semi in Leeds, asking £240k")).toMatchObject({
      propertyType: "house",
      bedrooms: 3,
      budget: { low: 240_000 },
      intent: "valuation",
    });
  });

  it.each([
    ["rental yields in Austin?", "rental"],
    ["how have prices changed in Leeds?", "trend"],
    ["flood risk for houses in Hull?", "risk"],
    ["is RERA registration needed in Pune?", "regulation"],
    ["what do flats cost in Bristol?", "valuation"],
    ["how is the property market in Denver?", "market"],
    ["is $2,100 a month fair for a condo in Austin?", "rental"],
  ])("%s is after %s", (query, intent) => {
    expect(read(query).intent).toBe(intent);
  });

  it("leaves out a budget in another country's currency", () => {
    expect(read("I have $500k for a flat in Vizag").budget).toBeUndefined();
  });
});

describe("propertyWeight", () => {
  it("distinguishes questions about property from others that use the same words", () => {
    const foreign = [
      "which pods are pending?",
      "which property of the config sets the timeout?",
      "what does yield do in python?",
      "how do I renew a TLS certificate?",
      "what is the DHCP lease time?",
    ];

    expect(foreign.map(propertyWeight).filter((weight) => weight >= 2)).toEqual([]);
    expect(propertyWeight("apartment prices")).toBeGreaterThanOrEqual(2);
    const asked = ["£950 pcm for a one bed", "how much unsold inventory is there?", "studio rents"];
    expect(asked.filter((query) => propertyWeight(query) < 2)).toEqual([]);
    expect(servedCountries).toEqual(["IN", "US", "UK"]);
  });
});
