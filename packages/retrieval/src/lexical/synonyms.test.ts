import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../markdown/parse-markdown.js";
import { createSectionIndex } from "../sections/section-index.js";
import { createAnalyzer } from "./analyzer.js";
import { synonymsFor } from "./synonyms.js";

function indexOf(...texts: readonly string[]) {
  const index = createSectionIndex();
  for (const [at, text] of texts.entries()) index.set(parseMarkdown(text, { file: `${at}.md` }));
  return index;
}

const redact = "# Redaction\n\nRedact a secret before it is written.\n";
const rotate = "# Rotation\n\nStart a new file every day.\n";

describe("synonyms", () => {
  it("are read in both directions, as the analyzer writes terms, and never name a word itself", () => {
    const synonyms = synonymsFor(createAnalyzer());

    expect(synonyms.get("folder")).toContain("directori");
    expect(synonyms.get("directori")).toContain("folder");
    for (const [term, others] of synonyms) expect(others).not.toContain(term);
  });

  it("find a section in other words", () => {
    const { hits, facts } = indexOf(redact, rotate).search("conceal the password in my output");

    expect(hits[0]).toMatchObject({ section: { file: "0.md" }, terms: [] });
    expect(facts.terms.find(({ text }) => text === "conceal")?.synonyms).toEqual(["redact"]);
  });

  it("count less than the word itself", () => {
    const written = ["# One\n\nRedact it.\n", "# Two\n\nHide it.\n", rotate];
    const { hits } = indexOf(...written).search("hide some values of unknown requests quietly");

    expect(hits.map(({ section }) => section.file)).toEqual(["1.md", "0.md"]);
  });

  it("count nothing where the words of the query match well", () => {
    const { hits } = indexOf(redact, rotate, "# Hide\n\nHide.\n").search("hide");

    expect(hits.map(({ section }) => section.file)).toEqual(["2.md"]);
  });
});
