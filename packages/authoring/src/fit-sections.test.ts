import { describe, expect, it } from "vitest";
import { z } from "zod";
import { estimateTokens, fitSections, wholeLines } from "./fit-sections.js";

const sections = ["a".repeat(900), "b".repeat(3_000), "c".repeat(600)];
const text = (section: string) => section;

describe("fitSections", () => {
  it("leaves everything where the client names no context", () => {
    const options = { ai: {}, request: {}, besides: [] };

    expect(fitSections(sections, text, options)).toBe(sections);
    expect(fitSections(sections, text, { ...options, ai: undefined })).toBe(sections);
  });

  it("takes whole sections only, and a shorter one after one that does not fit", () => {
    const ai = { contextTokens: 1_024 }; // 768 beside the reply: 300 + 40, not 1,000 + 40, 200 + 40

    const taken = fitSections(sections, text, { ai, request: {}, besides: [] });

    expect(taken).toEqual([sections[0], sections[2]]);
  });

  it("counts instructions, schema, tools and the rest of the prompt", () => {
    const ai = { contextTokens: 1_024 };
    const long = "x".repeat(1_320);
    const schema = z.object({ text: z.string().describe(long) });
    const tool = { name: "read", description: long, input: z.object({}), run: async () => "" };

    for (const request of [{ system: long }, { schema }, { tools: [tool] }]) {
      expect(fitSections(sections, text, { ai, request, besides: [] })).toEqual([sections[2]]);
    }
    expect(fitSections(sections, text, { ai, request: {}, besides: [long] })).toEqual([
      sections[2],
    ]);
  });

  it("keeps as much free for the reply as it is given", () => {
    const ai = { contextTokens: 1_024 };

    const taken = fitSections(sections, text, { ai, request: {}, besides: [], replyTokens: 1_000 });

    expect(taken).toEqual([]);
  });
});

describe("wholeLines", () => {
  it("ends with a paragraph, else with a line, and never within one", () => {
    expect(wholeLines("one two\n\nthree four\nfive", 22)).toBe("one two\n\nthree four");
    expect(wholeLines("one two three\n\nfour five\nsix", 20)).toBe("one two three");
    expect(wholeLines("one\ntwo\nthree", 9)).toBe("one\ntwo");
    expect(wholeLines("one two three", 5)).toBe("");
    expect(wholeLines("one\ntwo", 7)).toBe("one\ntwo");
  });
});

describe("estimateTokens", () => {
  it("counts bytes, so that other scripts count for more", () => {
    expect(estimateTokens("abc")).toBe(1);
    expect(estimateTokens("日本")).toBe(2);
  });
});
