import { alignSentence } from "../src/index.js";
import { readCases } from "./grounding-cases.js";

/**
 * Scores the alignment of sentences on a folder with `lies.jsonl` and `honest.jsonl`, by class:
 * `npm run score-grounding --workspace packages/nlu -- FOLDER [--list]`.
 */
const [folder = ".", list] = process.argv.slice(2);
for (const [file, isRight] of [
  ["lies.jsonl", (found: readonly string[]) => found.length > 0],
  ["honest.jsonl", (found: readonly string[]) => found.length === 0],
] as const) {
  const cases = readCases(folder, file);
  const classes = new Map<string, { right: number; all: number }>();
  const total = { right: 0, all: 0 };
  const start = performance.now();
  for (const one of cases) {
    const found = alignSentence(one.sentence, one.cited, one.others);
    const counts = classes.get(one.kind) ?? { right: 0, all: 0 };
    classes.set(one.kind, counts);
    for (const count of [counts, total]) {
      count.all++;
      if (isRight(found)) count.right++;
    }
    if (list !== undefined && !isRight(found))
      console.log(one.id, one.kind, found.join(" "), "|", one.sentence);
  }
  const ms = (performance.now() - start) / cases.length;
  for (const [name, { right, all }] of [...classes].sort())
    console.log(`${name}: ${right} of ${all}`);
  console.log(
    `${file}: ${total.right} of ${total.all} (${((100 * total.right) / total.all).toFixed(1)} %), ${ms.toFixed(2)} ms each\n`,
  );
}
