import { groundText } from "../src/index.js";
import { type GroundingCase, readCases, toPlain } from "./grounding-cases.js";

/**
 * Scores what `groundText` makes of the sentences of folders with `lies.jsonl` and `honest.jsonl`, by class:
 * `npm run score-grounding --workspace packages/nlu -- FOLDER... [--list]`. A lie is caught where it is not in the text
 * that is left, or where the warning that it leaves out is added; an honest sentence is kept where it is.
 */
const args = process.argv.slice(2);
for (const folder of args.filter((one) => !one.startsWith("--")))
  for (const file of ["lies.jsonl", "honest.jsonl"]) {
    const cases = readCases(folder, file);
    const classes = new Map<string, { right: number; all: number }>();
    const total = { right: 0, all: 0 };
    let warned = 0;
    const start = process.cpuUsage();
    for (const one of cases) {
      const { isKept, isWarned, why } = ground(one);
      const isRight =
        file === "honest.jsonl" ? isKept : !isKept || (isWarned && one.needs !== undefined);
      if (isWarned) warned++;
      const counts = classes.get(one.kind) ?? { right: 0, all: 0 };
      classes.set(one.kind, counts);
      for (const count of [counts, total]) {
        count.all++;
        if (isRight) count.right++;
      }
      if (args.includes("--list") && !isRight)
        console.log(one.id, one.kind, why.join(" "), "|", one.sentence);
    }
    const { user } = process.cpuUsage(start);
    const ms = user / 1_000 / cases.length;
    for (const [name, { right, all }] of [...classes].sort())
      console.log(`${name}: ${right} of ${all}`);
    console.log(
      `${folder} ${file}: ${total.right} of ${total.all} (${((100 * total.right) / total.all).toFixed(1)} %), ` +
        `${ms.toFixed(2)} ms of processor time each, ${warned} with a warning of a source\n`,
    );
  }

function ground({ sentence, cited, others, needs }: GroundingCase) {
  const { text, ungrounded } = groundText(sentence, cited, { others });
  const wrong = ungrounded.filter(({ why }) => why.some((one) => one !== "warning"));
  return {
    isKept: wrong.length === 0,
    // The warning that is missing, where the case names it.
    isWarned:
      needs === undefined
        ? ungrounded.length > wrong.length
        : toPlain(text).includes(toPlain(needs)),
    why: wrong.flatMap((one) => one.why),
  };
}
