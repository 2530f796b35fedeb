import { describe, expect, it } from "vitest";
import { otherLanguage } from "./language.js";

describe("otherLanguage", () => {
  it.each([
    ["विशाखापट्टनम में फ्लैट की कीमत क्या है?", "Hindi"],
    ["Vizag mein 2bhk ka rate kya hai", "Hindi"],
    ["విశాఖపట్నంలో ఫ్లాట్ ధర ఎంత?", "Telugu"],
    ["vizag lo flat entha", "Telugu"],
    ["¿Cuánto cuesta un piso en Austin?", "Spanish"],
    ["cuanto cuesta una casa en Austin", "Spanish"],
    ["Wie viel kostet eine Wohnung in Manchester?", "German"],
    ["Was kosten Häuser in Leeds?", "German"],
    ["Wie viele Acres hat Gut Heide?", "German"],
    ["Quel est le prix d'un appartement à Londres?", "French"],
    ["हैदराबाद mein flat ki keemat", "Hindi"],
  ])("%s is %s", (query, language) => {
    expect(otherLanguage(query)).toBe(language);
  });

  it.each([
    "Is 48 lakhs fair for a 2BHK in Vizag?",
    "What do homes cost in Los Angeles and Las Vegas?",
    "home prices in El Paso",
    "house prices in San Luis Obispo",
    "rents in Die, is it so?",
    "flat in São Paulo street, Panaji",
    "2BHK Hyderabad",
    "",
  ])("%s is English", (query) => {
    expect(otherLanguage(query)).toBeUndefined();
  });
});
