import { readFileSync } from "node:fs";
import path from "node:path";
import { alignSentence, readPassages } from "../src/index.js";

/**
 * Scores the alignment of sentences on a folder with `lies.jsonl` and `honest.jsonl`, by class:
 * `npm run score-grounding --workspace packages/nlu -- FOLDER [--list]`.
 */
interface Case {
  readonly id: string;
  readonly passages: readonly { readonly id: string; readonly text: string }[];
  readonly sentence: string;
  readonly cites: readonly string[];
  readonly class?: string;
  readonly form?: string;
}

const [folder = ".", list] = process.argv.slice(2);
for (const [file, isRight] of [
  ["lies.jsonl", (found: readonly string[]) => found.length > 0],
  ["honest.jsonl", (found: readonly string[]) => found.length === 0],
] as const) {
  const cases = readFileSync(path.join(folder, file), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Case);
  const classes = new Map<string, { right: number; all: number }>();
  const total = { right: 0, all: 0 };
  const start = performance.now();
  for (const one of cases) {
    const passages = readPassages(one.passages);
    const isCited = ({ id }: { readonly id: string }) => one.cites.includes(id);
    const found = alignSentence(
      one.sentence,
      passages.filter(isCited),
      passages.filter((passage) => !isCited(passage)),
    );
    const counts = classes.get(one.class ?? one.form ?? "") ?? { right: 0, all: 0 };
    classes.set(one.class ?? one.form ?? "", counts);
    for (const count of [counts, total]) {
      count.all++;
      if (isRight(found)) count.right++;
    }
    if (list !== undefined && !isRight(found))
      console.log(one.id, one.class ?? one.form, found.join(" "), "|", one.sentence);
  }
  const ms = (performance.now() - start) / cases.length;
  for (const [name, { right, all }] of [...classes].sort())
    console.log(`${name}: ${right} of ${all}`);
  console.log(
    `${file}: ${total.right} of ${total.all} (${((100 * total.right) / total.all).toFixed(1)} %), ${ms.toFixed(2)} ms each\n`,
  );
}
