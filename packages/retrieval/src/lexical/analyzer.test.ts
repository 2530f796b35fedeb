import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnalyzer } from "./analyzer.js";

const analyzer = createAnalyzer();
const texts = (text: string) => analyzer.terms(text).map((term) => term.text);

describe("createAnalyzer", () => {
  it("reads words in lower case, without stop words, as stems", () => {
    expect(texts("How do I configure the Deployments?")).toEqual(["configur", "deploy"]);
  });

  it("keeps an identifier whole and gives its words", () => {
    expect(texts("forceCloseConnections")).toEqual([
      "forc",
      "close",
      "connect",
      "forcecloseconnections",
    ]);
    expect(texts("honor_labels")).toEqual(["honor", "label", "honorlabels"]);
    expect(texts("--web.enable-lifecycle")).toEqual([
      "web",
      "enabl",
      "lifecycl",
      "webenablelifecycle",
    ]);
  });

  it("gives one spelling of a name however it is joined", () => {
    const wholes = ["ConfigMap", "config-map", "config_map"].map((name) => texts(name).at(-1));

    expect(new Set(wholes)).toEqual(new Set(["configmap"]));
  });

  it("keeps a version whole and gives its first two numbers", () => {
    expect(texts("v2.26.1")).toEqual(["2.26", "2.26.1"]);
    expect(texts("2.26")).toEqual(["2.26"]);
  });

  it("marks the whole of an identifier as standing at the place of its words", () => {
    expect(analyzer.terms("honor_labels").map(({ isExtra }) => isExtra)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("reads full-width and composed letters as the plain ones", () => {
    expect(texts("Ｐｒｏｍｅｔｈｅｕｓ ﬁle")).toEqual(texts("Prometheus file"));
  });

  it("drops possessives and short forms", () => {
    expect(texts("the server's logs don't rotate")).toEqual(["server", "log", "rotat"]);
  });

  it("cuts a word that is not a word", () => {
    expect(texts("x".repeat(10_000))[0]?.length).toBeLessThanOrEqual(80);
  });

  it("gives the same terms for the same text, and none that is empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const first = analyzer.terms(text);

        expect(first.every((term) => term.text !== "")).toBe(true);
        const plain = first.map(({ text: term, isExtra }) => ({ text: term, isExtra }));
        expect(createAnalyzer().terms(text)).toMatchObject(plain);
      }),
      { numRuns: 2_000 },
    );
  });
});
