import { validateResponse } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { outOfDomainExample, patternResponses } from "../../eval/format-patterns.js";
import type { NavigatorResponse } from "./navigator-response.js";
import { toResponse } from "./to-response.js";

const [first, second, third, fourth, fifth] = patternResponses as [
  NavigatorResponse,
  NavigatorResponse,
  NavigatorResponse,
  NavigatorResponse,
  NavigatorResponse,
]; // the five of the table

describe("toResponse", () => {
  it("RES-02, NAV-042: says high as 0.9, medium as 0.7 and low as 0.4, and only low is partial", () => {
    const all = [first, second, third].map((each) => toResponse(each));

    expect(all.map(({ confidence }) => confidence)).toEqual([0.9, 0.7, 0.4]);
    expect(all.map(({ partial }) => partial === true)).toEqual([false, false, true]);
  });

  it("RES-13, NAV-043: makes a source of each cited section, with its retrieval score", () => {
    const sources = [{ file: "a.md", section: "B", relevance: "It names the setting" }];

    const response = toResponse({ ...first, sources }, { scores: [0.8] });

    expect(response.sources).toEqual([{ name: "a.md#B", type: "document", relevance: 0.8 }]);
  });

  it("keeps scores between 0 and 1, and gives no relevance where there is no score", () => {
    const { sources } = toResponse(first, { scores: [7.5] });

    expect(sources?.map(({ relevance }) => relevance)).toEqual([1, undefined]);
  });

  it("RES-07: keeps the navigator response whole in metadata, beside what else is given", () => {
    for (const each of patternResponses) {
      const { metadata } = toResponse(each, { metadata: { retrieval: 1 } });

      expect(metadata).toEqual({ retrieval: 1, navigator: each });
    }
  });

  it.each([
    ["no-information", fourth],
    ["out-of-domain", fifth],
    ["out-of-domain", outOfDomainExample],
  ])("RES-11, NAV-044: answers nothing but NOT_FOUND, %s", (reason, navigator) => {
    const { metadata, ...response } = toResponse(navigator);

    expect(response).toEqual({
      error: { code: "NOT_FOUND", message: navigator.answer, details: { reason } },
    });
  });

  it("gives no sources for what is out of domain, even when some were cited", () => {
    const response = toResponse({ ...first, outOfDomain: true });

    expect(response.sources).toBeUndefined();
    expect(response.error?.details?.reason).toBe("out-of-domain");
  });

  it("gives what core takes for a response", () => {
    for (const each of [...patternResponses, outOfDomainExample]) {
      expect(validateResponse(toResponse(each, { scores: [0.5, 0.4] }))).toMatchObject({
        valid: true,
      });
    }
  });
});
