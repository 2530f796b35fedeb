/**
 * Fits `src/answer/probabilities.ts` to first answers: those that were given to cases that nothing had been mended for. It adds
 * those in the files given, which `eval:apart -- FOLDER --answers` writes, to the counts of each set in `first-answers.jsonl`. Each set
 * is judged by the probabilities of the other sets, which is what is printed.
 *
 *     npm run fit-confidence -w librarians/k8s [-- FILE...]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Asking, Basis } from "../src/answer/confidence.js";
import { isRecord, numberAt, textAt } from "../src/cluster/fields.js";

/** Answers of one set and one sort. */
interface Count {
  readonly set: string;
  readonly basis: Basis;
  readonly asking: Asking;
  readonly right: number;
  readonly all: number;
}

const bases = [
  "stated",
  "log",
  "ended",
  "reported",
  "past",
  "healthy",
  "unjudged",
  "lookup",
  "partial",
] as const;
const askings = ["polar", "told", "other"] as const;
/** Number of answers like the mean of the next wider sort that count beside those of one sort: few answers say little. */
const prior = 8;

const counts = new URL("first-answers.jsonl", import.meta.url);

function readCounts(): readonly Count[] {
  const given = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? ".", file));
  const found = new Map<string, Count>();
  for (const file of [counts, ...given]) {
    const lines = readFileSync(file, "utf8").split("\n");
    for (const line of lines.filter((text) => text.startsWith("{"))) {
      const one: unknown = JSON.parse(line);
      if (!isRecord(one)) continue;
      const basis = bases.find((each) => each === one.basis);
      const asking = askings.find((each) => each === one.asking);
      // An error has no confidence.
      if (basis === undefined || asking === undefined) continue;
      const set = textAt(one, "set") ?? "";
      const key = [set, basis, asking].join(" ");
      const known = found.get(key) ?? { set, basis, asking, right: 0, all: 0 };
      const right = numberAt(one, "right") ?? (one.right === true ? 1 : 0);
      const all = numberAt(one, "all") ?? 1;
      found.set(key, { ...known, right: known.right + right, all: known.all + all });
    }
  }
  return [...found.values()].sort((a, b) => (a.set < b.set ? -1 : a.set > b.set ? 1 : 0));
}

const share = (some: readonly Count[], mean: number) => {
  const sum = (pick: (one: Count) => number) => some.reduce((total, one) => total + pick(one), 0);
  return (sum(({ right }) => right) + prior * mean) / (sum(({ all }) => all) + prior);
};

/** The share of each sort that was right, drawn to that of its basis, and that to the mean. */
function fit(some: readonly Count[]): (basis: Basis, asking: Asking) => number {
  const mean = share(some, 0.8);
  return (basis, asking) => {
    const own = some.filter((one) => one.basis === basis);
    return share(
      own.filter((one) => one.asking === asking),
      share(own, mean),
    );
  };
}

const all = readCounts();
writeFileSync(counts, `${all.map((one) => JSON.stringify(one)).join("\n")}\n`);
const estimate = fit(all);
const rows = bases.map(
  (basis) =>
    `  ${basis}: { ${askings.map((asking) => `${asking}: ${estimate(basis, asking).toFixed(2).replace(/0$/, "")}`).join(", ")} },`,
);
writeFileSync(
  new URL("../src/answer/probabilities.ts", import.meta.url),
  `// Written by \`npm run fit-confidence -w librarians/k8s\`: do not edit.

/** The share of answers that were right, by what they rest on and by how the question asks. */
export const probabilities = {
${rows.join("\n")}
} as const;
`,
);

const bins = Array.from({ length: 10 }, () => ({ sum: 0, right: 0, all: 0 }));
for (const set of new Set(all.map((one) => one.set))) {
  const others = fit(all.filter((one) => one.set !== set));
  for (const one of all.filter((each) => each.set === set)) {
    const confidence = others(one.basis, one.asking);
    const bin = bins[Math.min(9, Math.floor(confidence * 10))];
    if (bin === undefined) continue;
    bin.sum += confidence * one.all;
    bin.right += one.right;
    bin.all += one.all;
  }
}
const total = bins.reduce((sum, one) => sum + one.all, 0);
const error = bins.reduce((sum, one) => sum + Math.abs(one.sum - one.right), 0) / total;
console.log(
  `${all.length} sorts of ${total} answers; each set judged by the others, the expected calibration error is ${error.toFixed(3)}`,
);
for (const [from, one] of bins.entries())
  if (one.all > 0)
    console.log(
      `${from / 10}: ${one.right} of ${one.all} right at ${(one.sum / one.all).toFixed(2)}`,
    );
