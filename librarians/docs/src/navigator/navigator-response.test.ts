import { describe, expect, it } from "vitest";
import { outOfDomainExample, patternResponses } from "../../eval/format-patterns.js";
import { navigatorJsonSchema, navigatorResponseSchema } from "./navigator-response.schema.js";

const [plain] = patternResponses;
const parses = (value: unknown) => navigatorResponseSchema.safeParse(value).success;

/** Pattern 1 with other values in some fields. */
const withFields = (fields: Readonly<Record<string, unknown>>) => ({ ...plain, ...fields });

/** Pattern 1 without a field. */
function without(field: string): unknown {
  const { [field]: _left, ...rest } = { ...plain } as Record<string, unknown>;
  return rest;
}

describe("navigatorResponseSchema", () => {
  it("NAV-029, NAV-030, NAV-031: takes the five patterns and the out-of-domain example as they are", () => {
    for (const each of [...patternResponses, outOfDomainExample]) {
      expect(navigatorResponseSchema.parse(each)).toEqual(each);
    }
    expect(patternResponses.map(({ sources }) => sources.length)).toEqual([2, 2, 1, 0, 0]);
    expect(patternResponses.map(({ confidence }) => confidence)).toEqual([
      "high",
      "medium",
      "low",
      "high",
      "high",
    ]);
  });

  it("NAV-004: wants answer to be text and sources an array", () => {
    expect([without("answer"), without("sources")].filter(parses)).toEqual([]);
    expect([withFields({ answer: 1 }), withFields({ sources: {} })].filter(parses)).toEqual([]);
    expect(parses(withFields({ sources: [] }))).toBe(true);
  });

  it.each(["file", "section", "relevance"])("NAV-005: wants %s in each source", (field) => {
    const source: Record<string, unknown> = { file: "a.md", section: "A", relevance: "why it is" };
    expect(parses(withFields({ sources: [source] }))).toBe(true);

    delete source[field];

    expect(parses(withFields({ sources: [source] }))).toBe(false);
  });

  it("NAV-005: wants relevance to be text, not a number", () => {
    const source = { file: "a.md", section: "A", relevance: 0.9 };

    expect(parses(withFields({ sources: [source] }))).toBe(false);
  });

  it("NAV-006: knows the confidences high, medium and low, in these letters", () => {
    expect(
      ["high", "medium", "low"].every((each) => parses(withFields({ confidence: each }))),
    ).toBe(true);
    expect(["High", "unknown", 0.9].some((each) => parses(withFields({ confidence: each })))).toBe(
      false,
    );
    expect(parses(without("confidence"))).toBe(false);
  });

  it("NAV-007: wants ten characters of reason, blanks at the ends aside", () => {
    expect(parses(withFields({ confidenceReason: "0123456789" }))).toBe(true);
    expect(parses(withFields({ confidenceReason: "012345678" }))).toBe(false);
    expect(parses(withFields({ confidenceReason: " 012345678 " }))).toBe(false);
    expect(parses(without("confidenceReason"))).toBe(false);
  });

  it("NAV-008: lets related topics be absent or empty, and of text alone", () => {
    expect(parses(without("relatedTopics"))).toBe(true);
    expect(parses(withFields({ relatedTopics: [] }))).toBe(true);
    expect(parses(withFields({ relatedTopics: "tls" }))).toBe(false);
    expect(parses(withFields({ relatedTopics: [1] }))).toBe(false);
  });

  it("NAV-009: wants outOfDomain to be true or false", () => {
    expect(parses(without("outOfDomain"))).toBe(false);
    expect(parses(withFields({ outOfDomain: "false" }))).toBe(false);
  });

  it("NAV-039: drops unknown fields", () => {
    expect(navigatorResponseSchema.parse(withFields({ note: 1 }))).toEqual(plain);
  });
});

describe("navigatorJsonSchema", () => {
  it("NAV-039, NAV-045: has exactly the six fields, five of them required", () => {
    const { properties, required } = navigatorJsonSchema();

    expect(Object.keys(properties ?? {})).toEqual([
      "answer",
      "sources",
      "confidence",
      "confidenceReason",
      "relatedTopics",
      "outOfDomain",
    ]);
    expect(required).toHaveLength(5);
    expect(required).not.toContain("relatedTopics");
  });
});
