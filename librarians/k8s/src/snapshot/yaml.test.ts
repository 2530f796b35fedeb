import { describe, expect, it } from "vitest";
import { parseDocuments } from "./documents.js";
import { loadYaml, maxDocumentLength } from "./yaml.js";

/** Text of about one MiB, of lines that are all different. */
function lines(line: (at: number) => string): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < 1_048_576; at++) {
    const next = line(at);
    parts.push(next);
    length += next.length;
  }
  return parts.join("");
}

const hostile: Readonly<Record<string, string>> = {
  "a banner of comments": `${"#".repeat(1_048_576)}\nkind: Pod\n`,
  "lines of comments": `${"#\n".repeat(524_288)}kind: Pod\n`,
  "white space and comments": `${" \t# #\r\n".repeat(150_000)}kind: Pod\n`,
  anchors: lines((at) => `k${at}: &a${at} 1\n`),
  aliases: `a: &a 1\n${lines((at) => `r${at}: *a\n`)}`,
  "anchors and aliases": `${lines((at) => `k${at}: &a${at} 1\n`).slice(0, 500_000)}\n${lines((at) => `r${at}: *a${at}\n`).slice(0, 500_000)}`,
  keys: lines((at) => `k${at}: 1\n`),
  "values in brackets": `[${"1,".repeat(524_288)}]`,
  brackets: "[".repeat(1_048_576),
  "document marks": "---\n".repeat(262_144),
};

describe("loadYaml", () => {
  it.each(Object.entries(hostile))("takes time in line with the length of %s", (_, text) => {
    const start = process.cpuUsage();

    const documents = [...parseDocuments(text)];

    const { user, system } = process.cpuUsage(start);
    expect(documents.length).toBeLessThan(2);
    // The goal is 250 ms; a quadratic step would take minutes.
    expect((user + system) / 1_000).toBeLessThan(2_500);
  });

  it("refuses a document longer than the largest object of a cluster", () => {
    expect(() => loadYaml(`a: ${"x".repeat(maxDocumentLength)}`)).toThrow(/too long/);
  });

  it("refuses a document with more values than it could honestly hold", () => {
    expect(() => loadYaml(`[${"1,".repeat(500_000)}]`)).toThrow(/too many values/);
  });

  it("refuses a document of more values than its length honestly holds", () => {
    expect(() => loadYaml(lines((at) => `k${at}:\n`))).toThrow(/too many values/);
    expect(() => loadYaml(lines((at) => `k${at}: &a${at} 1\n`))).toThrow(/too many anchors/);
  });

  it("takes text in a block, whatever is in it, and the fields of managers", () => {
    const dashboard = lines((at) => `        "id": ${at},\n`);
    const fields = lines((at) => `          f:name-${at}: {}\n`);

    expect(loadYaml(`data:\n  dashboard: |\n${dashboard}`)).toHaveProperty("data.dashboard");
    expect(loadYaml(`managedFields:\n${fields}`)).toHaveProperty("managedFields");
  });

  it("takes aliases that expand to no more than was written, and refuses others", () => {
    expect(loadYaml("a: &a {b: c}\nd: *a\n")).toEqual({ a: { b: "c" }, d: { b: "c" } });
    expect(() => loadYaml("a: &a [*a, *a]\n")).toThrow(/expand/);
  });

  it("keeps dates and merge keys as they stand", () => {
    expect(loadYaml("at: 2026-03-01T12:00:00Z\nx: {<<: {a: 1}}\n")).toEqual({
      at: "2026-03-01T12:00:00Z",
      x: { "<<": { a: 1 } },
    });
  });
});
