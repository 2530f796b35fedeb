import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roundsOf } from "../../../authoring/test/rounds.js";
import { parseMarkdown } from "../markdown/parse-markdown.js";
import { createSectionIndex } from "./section-index.js";

const pageOf = (file: string, text: string) => parseMarkdown(text, { file });

const rules = pageOf(
  "ops/rules.md",
  "# Rules\n\nHow alerts are written.\n\n## Limits\n\nAt most ten.\n",
);
const guide = pageOf("guide.md", "# Guide\n\nRead about [quotas](ops/rules.md#limits) first.\n");

function indexOf(...pages: readonly ReturnType<typeof pageOf>[]) {
  const index = createSectionIndex();
  for (const page of pages) index.set(page);
  return index;
}

describe("createSectionIndex", () => {
  it("finds sections and gives them whole", () => {
    const [hit] = indexOf(rules, guide).search("how do I write alerts").hits;

    expect(hit).toMatchObject({ id: "ops/rules.md#0", section: rules.sections[0] });
  });

  it("prefers the heading that a sentence names word for word to one of the same words", () => {
    const text = "The upstream server answers slowly, so requests wait.";
    const index = indexOf(
      pageOf("a.md", `# Guide\n\n## Policy retry\n\n${text}\n`),
      pageOf("b.md", `# Guide\n\n## Retry policy\n\n${text}\n`),
    );
    const sentence =
      "When the upstream server of a gateway is slow, failed requests wait as the retry policy says, which doubles its backoff after each timeout.";
    const first = (query: string) => index.search(query).hits[0]?.section.heading;

    expect(first(sentence)).toBe("Retry policy");
    expect(first(sentence.replace("the retry policy says", "the policy retry says"))).toBe(
      "Policy retry",
    );
  });

  it("forgets what a page called it when that page goes", () => {
    const index = indexOf(rules, guide);
    index.search("quotas");

    index.remove("guide.md");

    expect(index.search("quotas").hits).toEqual([]);
  });

  it("finds only sections the filter lets through", () => {
    const { hits } = indexOf(rules, guide).search("rules guide", {
      filter: ({ file }) => file === "guide.md",
    });

    expect(hits.map(({ section }) => section.file)).toEqual(["guide.md"]);
  });

  it("searches after any changes as an index built afresh", () => {
    const texts = [
      "# A\n\nalpha [beta](b.md#two) gamma\n",
      "# B\n\n## Two\n\nSee [delta](a.md) and [self](#two).\n",
      "alpha delta [gamma](../sub/c.md)\n",
      "",
    ];
    const change = fc.record({
      file: fc.constantFrom("a.md", "b.md", "sub/c.md"),
      text: fc.option(fc.constantFrom(...texts)),
      query: fc.option(fc.constantFrom("alpha", "beta delta")),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const index = createSectionIndex();
        for (const { file, text, query } of changes) {
          if (text === null) index.remove(file);
          else index.set(pageOf(file, text));
          if (query !== null) index.search(query);
        }

        const fresh = indexOf(...index.pages());

        for (const query of ["alpha beta", "delta gamma two", "self"]) {
          expect(index.search(query)).toEqual(fresh.search(query));
        }
      }),
      { numRuns: roundsOf(500) },
    );
  });
});
