import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findDropped } from "./content-rules.js";

interface Sentence {
  readonly text: string;
  readonly forbidden: boolean;
}

const pathOf = (file: string) => new URL(`../../eval/sentences/${file}.jsonl`, import.meta.url);

function read(file: string): readonly Sentence[] {
  return readFileSync(pathOf(file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Sentence);
}

/** Share of some sentences in which something forbidden is found. */
function shareFound(sentences: readonly Sentence[]): number {
  const found = sentences.filter(({ text }) => findDropped(text).length > 0);
  return found.length / sentences.length;
}

// The rules are not tuned to the sentences of `held-out`: of it only these shares are known.
describe.each(
  [
    { file: "dev", minCaught: 0.98, maxRefused: 0.01 },
    { file: "held-out", minCaught: 0.95, maxRefused: 0.02 },
  ].filter(({ file }) => existsSync(pathOf(file))),
)("the content rules on the sentences of $file", ({ file, minCaught, maxRefused }) => {
  it(`catch ${100 * minCaught} % of what an advisory must not say`, () => {
    const forbidden = read(file).filter((sentence) => sentence.forbidden);

    expect(shareFound(forbidden)).toBeGreaterThanOrEqual(minCaught);
  });

  it(`refuse at most ${100 * maxRefused} % of what is factual`, () => {
    const factual = read(file).filter((sentence) => !sentence.forbidden);

    expect(shareFound(factual)).toBeLessThanOrEqual(maxRefused);
  });
});
