import { describe, expect, it } from "vitest";
import { createAnalyzer } from "./analyzer.js";
import { createLexicalIndex } from "./lexical-index.js";

const analyzer = createAnalyzer();
const texts = (text: string) => analyzer.terms(text).map((term) => term.text);
const amountsOf = (text: string) => texts(text).filter((term) => term.startsWith("="));

function indexOf(bodies: Readonly<Record<string, string>>) {
  const index = createLexicalIndex({ fields: { body: { weight: 1 } } });
  index.add(Object.entries(bodies).map(([id, body]) => ({ id, fields: { body } })));
  return index;
}

describe("amounts", () => {
  it.each([
    ["30s", "30 seconds", "thirty seconds", "30-second", "30 sec"],
    ["5m", "5 minutes", "five minutes", "300s", "300,000 ms"],
    ["90s", "1m30s", "90 seconds", "1.5 minutes", "ninety seconds"],
    ["512Mi", "512 MiB", "512MB", "512 megabytes"],
    ["2 GB", "2GB", "2Gi", "two gigabytes", "2G"],
    ["50%", "50 percent", "fifty percent"],
    ["24h", "24 hours", "twenty-four hours", "1 day", "1d"],
  ])("are one in every spelling: %s", (...spellings) => {
    const terms = new Set(spellings.map((spelling) => amountsOf(spelling).join(" ")));

    expect(terms.size).toBe(1);
    expect([...terms][0]).toMatch(/^=\S+$/);
  });

  it.each([
    ["version 2.5.0", "a version"],
    ["4xx and s3 and 30x", "no unit"],
    ["wait a second", "no number"],
    ["404,500,503", "a list"],
    ["2 pods a day", "a number and a unit apart"],
    ["30 m of cable", "one letter apart from its number"],
    ["10D", "another letter"],
  ])("are not read from %j, %s", (text) => {
    expect(amountsOf(text)).toEqual([]);
  });

  it("keep the words that they are written with", () => {
    expect(texts("30 seconds")).toEqual(["30", "second", "=30s"]);
    expect(texts("30s")).toEqual(["30", "=30s"]);
    expect(texts("30,000ms")).toEqual(["30000", "=30s"]);
    expect(texts("65,536 entries")).toEqual(["65", "536", "65536", "entri"]);
  });

  it("find the document that has the amount in another spelling", () => {
    const index = indexOf({
      scrape: "Targets are scraped, and a scrape ends after 10s.",
      rules: "Rules are evaluated, and an evaluation ends after 5m.",
    });

    expect(index.search("what ends after five minutes").hits[0]?.id).toBe("rules");
    expect(index.search("what ends after 10 seconds").hits[0]?.id).toBe("scrape");
  });

  it("say nothing against documents that do not have them", () => {
    const index = indexOf({ scrape: "The scrape timeout is 10 seconds.", other: "Other things." });

    const { facts } = index.search("scrape timeout of 45 MiB");

    expect(facts.terms.map(({ text }) => text)).toEqual(["scrape", "timeout", "45", "mib"]);
  });
});
