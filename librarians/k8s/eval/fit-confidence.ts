/**
 * Fits the constants of `src/answer/confidence.ts` to first answers: those that were given to cases that nothing had
 * been mended for (`first-answers.jsonl`), and to those in the files given, written by `eval:apart -- FOLDER --answers`. Each set is
 * judged by constants of the other sets, which is what the five bins count.
 *
 *     npm run fit-confidence -w librarians/k8s [-- FILE...]
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Basis, chooseBasis } from "../src/answer/confidence.js";
import { isRecord, listAt, textAt } from "../src/cluster/fields.js";
import { signalTypes } from "../src/diagnosis/signal-type.js";
import { calibration } from "./score.js";

interface FirstAnswer {
  readonly set: string;
  readonly right: boolean;
  /** What the answer rests on, or what it is where it has no finding. */
  readonly basis: Basis | "healthy" | "lookup" | "refusal" | "not found" | "unjudged";
}

/** As many answers as the mean of all counts beside those of one basis: few answers say little. */
const prior = 4;

function readAnswers(): readonly FirstAnswer[] {
  const given = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? ".", file));
  return [new URL("first-answers.jsonl", import.meta.url), ...given]
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(isRecord)
    .map((one) => ({
      set: textAt(one, "set") ?? "",
      right: one.right === true,
      basis: basisIn(one),
    }));
}

function basisIn(one: Readonly<Record<string, unknown>>): FirstAnswer["basis"] {
  const signal = signalTypes.find((type) => type === textAt(one, "signal"));
  if (signal === undefined) return textAt(one, "as") as FirstAnswer["basis"];
  const kinds = (["object", "event", "log"] as const).filter((kind) =>
    listAt(one, "evidence").includes(kind),
  );
  return chooseBasis(signal, new Set(kinds));
}

/** Share of each basis that was right, drawn a little to the mean of all. */
function fitted(answers: readonly FirstAnswer[]): ReadonlyMap<string, number> {
  const mean = answers.filter(({ right }) => right).length / answers.length;
  const bases = new Set(answers.map(({ basis }) => basis));
  return new Map(
    [...bases].map((basis) => {
      const own = answers.filter((one) => one.basis === basis);
      const right = own.filter((one) => one.right).length;
      return [basis, (right + prior * mean) / (own.length + prior)] as const;
    }),
  );
}

const answers = readAnswers();
for (const [basis, value] of fitted(answers)) {
  const own = answers.filter((one) => one.basis === basis);
  const right = own.filter((one) => one.right).length;
  console.log(`${basis}: ${right} of ${own.length} right, fitted ${value.toFixed(2)}`);
}
const judged = [...new Set(answers.map(({ set }) => set))].flatMap((set) => {
  const others = fitted(answers.filter((one) => one.set !== set));
  return answers
    .filter((one) => one.set === set)
    .map(({ right, basis }) => ({ right, confidence: others.get(basis) }));
});
console.log(`each set judged by the others: ${calibration(judged).join("; ")}`);
