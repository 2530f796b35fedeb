import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { textAt } from "../cluster/fields.js";
import { parseDocuments } from "./documents.js";

const configMap = (name: string) => ({
  kind: "ConfigMap",
  metadata: { name },
  data: { text: "- not an item\nkind: Secret\n\n# no comment\n".repeat(60) },
});
const items = Array.from({ length: 200 }, (_, at) => configMap(`c${at}`));

/** As kubectl prints it: items are not indented, and the list's own fields stand around them. */
function printed(broken = ""): string {
  return `apiVersion: v1\nitems:\n${stringify(items)}${broken}kind: ConfigMapList\nmetadata:\n  resourceVersion: ""\n`;
}

describe("parseDocuments", () => {
  it("reads a long list item by item, as if it were read whole", () => {
    const text = printed();
    const whole: unknown = parse(text);

    const lists = [...parseDocuments(text)].map((document) =>
      "value" in document ? document.value : document,
    );

    expect(text.length).toBeGreaterThan(262_144);
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.every((list) => textAt(list, "kind") === "ConfigMapList")).toBe(true);
    expect({ ...Object(lists[0]), items: lists.flatMap((list) => Object(list).items) }).toEqual(
      whole,
    );
  });

  it("reads the other items of a long list when one is broken", () => {
    const documents = [...parseDocuments(printed("- kind: [\n"))];

    const items = documents.flatMap((document) =>
      "value" in document ? Object(document.value).items : [],
    );
    expect(documents.filter((document) => "broken" in document)).toHaveLength(1);
    expect(items).toHaveLength(200);
  });

  it("reads the other documents of many short ones when one is broken", () => {
    const text = Array.from({ length: 100 }, (_, at) => `---\nkind: ${at === 50 ? "[" : at}\n`);

    const documents = [...parseDocuments(text.join(""))];

    expect(documents).toHaveLength(100);
    expect(documents[50]).toHaveProperty("broken");
    expect(documents[99]).toEqual({ value: { kind: 99 } });
  });

  it.each([
    ["YAML", "---\na: [\n"],
    ["JSON", "{a}\n"],
    ["a list", "- [\n"],
  ])("gives up %s after 200 broken documents", (what, piece) => {
    const head = what === "a list" ? "kind: List\nitems:\n" : "";

    const documents = [...parseDocuments(head + piece.repeat(100_000))];

    expect(documents).toHaveLength(201);
    expect(documents.at(-1)).toEqual({ broken: "TooManyBroken" });
  });

  it("reads JSON documents one after another, whatever is between them", () => {
    const text = '{"a":"}{\\""}\n{"b":[1]} [3] words {"c":';

    expect([...parseDocuments(text)]).toEqual([
      { value: { a: '}{"' } },
      { value: { b: [1] } },
      { value: [3] },
      { broken: "SyntaxError" },
    ]);
  });

  it("reads nothing of nothing", () => {
    expect([...parseDocuments(" \n")]).toEqual([]);
    expect([...parseDocuments("---\n# a comment\n---\n")]).toEqual([]);
  });
});
