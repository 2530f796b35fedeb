import { describe, expect, it } from "vitest";
import { cpuTimeOf } from "../../test/cpu-time.js";
import { entry } from "../../test/workflows.js";
import { readCatalogText } from "./read-catalog.js";

const bytes = 512 * 1024;
const filled = (part: string) => part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes);
const numbered = (line: (at: number) => string) =>
  Array.from({ length: Math.floor(bytes / line(99_999).length) }, (_, at) => line(at)).join("");

/** Twice as many anchors need four times as long where each alias is searched for: minutes at this size. */
const hostile = {
  "many keys": numbered((at) => `k${at}: 1\n`),
  "many keys on one line": `{${numbered((at) => `k${at}: 1, `)}}`,
  "anchors and aliases": `${numbered((at) => `k${at}: &a${at} 1\n`)}${numbered((at) => `r${at}: *a${at}\n`)}`,
  "anchors in a row": filled("&a "),
  "closing brackets": filled("]"),
  "open brackets": filled("["),
  "open braces": filled("{a: "),
  "nested lists": filled("- "),
  questions: filled("? "),
  documents: filled("---\n"),
  "documents that are not readable": filled("---\n]\n"),
  "blank lines": filled("\n"),
  "numbers in a row": `[${filled("1,")}]`,
  "the same key": filled("a: 1\n"),
  "merged keys": `a: &a {b: 1}\n${numbered((at) => `m${at}: {<<: *a}\n`)}`,
  tags: numbered((at) => `- !t${at} 1\n`),
  placeholders: filled("${A:-"),
  "a prerequisite": JSON.stringify(entry("a", { prerequisites: [filled("a")] })),
  "parameters of one name": JSON.stringify(
    entry("a", {
      parameters: Array.from({ length: 9_000 }, () => ({ name: "A", type: "string" })),
    }),
  ),
} as const;

describe("a catalog that is meant to keep the process busy", () => {
  it.each(Object.entries(hostile))("is read or refused in time: %s", async (_, text) => {
    const ms = await cpuTimeOf(() => readCatalogText(text, "a.yaml"));
    // 250 ms per MiB on an idle machine; the rest is for one that is busy. What it guards against takes minutes.
    expect(ms).toBeLessThan(3_000);
  });
});
