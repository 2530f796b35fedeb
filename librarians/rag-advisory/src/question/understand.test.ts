import { describe, expect, it } from "vitest";
import { isAboutProperty } from "./understand.js";

describe("questions that use words of property and ask for something else", () => {
  it.each([
    "Which is the best bank for a home loan in Vizag?",
    "top 5 insurance companies for flats in Pune",
    "What is my neighbour's phone number? House 12, Leeds",
    "who owns the flat at 12 High Street, Leeds?",
    "Give me the landlord's email for this house in Austin",
    "What does eviction law in Texas say about tenants?",
    "how do I evict my tenant in Austin?",
    "can I sue my builder in Hyderabad over the flat",
    "how to write a rental agreement for a house in Pune",
    "how do I repair the roof of my house in Leeds",
    "best hotels near the beach in Vizag, house view",
    "real estate agent jobs and salary in London property market",
    "is gold price better than property in India",
    "a startup raised 2 crore in Pune",
    "lunch for $20 in Austin",
    "what credit score is needed for a mortgage in Texas",
  ])("are out of domain: %s", (query) => {
    expect(isAboutProperty(query)).toBe(false);
  });

  it.each([
    "Is 48 lakhs fair for a 2BHK in Vizag?",
    "What are the RERA rules for apartments in Andhra Pradesh?",
    "stamp duty on a flat in Telangana",
    "rental yields in Leeds",
    "flood risk for houses in Miami",
    "What is the best area for rents in Pune?",
    "do mortgage rates affect house prices in Austin",
    "house prices near good transport in Manchester",
    "how have rents changed for tenants in Leeds",
    "They ask 2 crore in Koramangala, is that usual?",
    "How many acres is plot 52?",
    "what do owners ask for villas in Bheemili",
  ])("and others are not: %s", (query) => {
    expect(isAboutProperty(query)).toBe(true);
  });
});
