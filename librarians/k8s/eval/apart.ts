/**
 * Scores a folder of cases that were written apart from the code: each state is written as a snapshot, and the librarian
 * answers from that.
 *
 *     npm run eval:apart -w librarians/k8s -- FOLDER [--file NAME,...] [--misses] [--only ID] [--print] [--answers]
 *
 * The folder holds `broken.jsonl` (one cause, or a board of several), `healthy.jsonl`, `unknowable.jsonl`, and what asks
 * about their states: `wordings.jsonl`, `sre.jsonl`, and `secrets.jsonl` with `secret-states.jsonl`. A file that is not
 * there is left out, and so is what `--file` does not name. `--misses` names what is wrong with each answer that is not right, `--print` prints the answers of
 * `--only`; neither is for a set that is held out. `--answers` prints a line for each answer that is judged, which
 * `fit-confidence` reads.
 */
import { basename, resolve } from "node:path";
import type { Response } from "@constellation/core";
import { chooseBasis, readAsking } from "../src/answer/confidence.js";
import { isRecord, listAt, recordAt, textAt } from "../src/cluster/fields.js";
import { signalTypes } from "../src/diagnosis/signal-type.js";
import { openSet, type Score, scoreOne } from "./apart-set.js";

const given = process.argv.slice(2);
const folder = resolve(process.env.INIT_CWD ?? process.cwd(), given[0] ?? ".");
const optionOf = (name: string) =>
  given.includes(name) ? given[given.indexOf(name) + 1] : undefined;
const only = optionOf("--only");
const files = optionOf("--file")?.split(",") ?? [
  ...["broken", "healthy", "unknowable", "wordings", "sre", "secrets"],
];
const set = openSet(folder);

/** What an answer rests on, as `fit-confidence` reads it. */
function describeAnswer(
  query: string,
  { metadata, error, partial }: Response,
  { wrong, isHealthy }: Score,
) {
  const [first] = listAt(metadata, "facts");
  const signal = signalTypes.find((type) => type === textAt(first, "signal_type"));
  const kinds = listAt(first, "evidence").map((one) => {
    const source = textAt(one, "source") ?? "";
    return /\blogs?\b/.test(source) ? "log" : /\bEvent\b/i.test(source) ? "event" : "object";
  });
  const isLookup = isRecord(metadata) && "lookup" in metadata;
  const found = isLookup
    ? partial === true
      ? "partial"
      : "lookup"
    : isHealthy
      ? "healthy"
      : signal === undefined
        ? "unjudged"
        : chooseBasis(signal, new Set(kinds), recordAt(first).is_current !== false);
  return {
    set: basename(folder),
    right: wrong.length === 0,
    basis: error === undefined ? found : "error",
    asking: readAsking(query),
  };
}

const scores: Score[] = [];
try {
  for (const file of files) {
    for (const one of set.load(file)) {
      const id = textAt(one, "id") ?? "";
      if (only !== undefined && !id.startsWith(only)) continue;
      const response = await set.ask(textAt(one, "state") ?? id, textAt(one, "question") ?? "");
      const score = scoreOne(file, one, response);
      scores.push(score);
      if (given.includes("--answers") && score.board === undefined && file !== "secrets")
        console.log(JSON.stringify(describeAnswer(textAt(one, "question") ?? "", response, score)));
      if (given.includes("--print"))
        console.log(
          `\n# ${id}: ${textAt(one, "question")}\n${response.answer ?? JSON.stringify(response)}\n(${response.confidence})`,
        );
      if (given.includes("--misses") && score.wrong.length > 0)
        console.log(
          `- ${id} (${score.confidence}) ${textAt(one, "question")}: ${score.wrong.join("; ")}`,
        );
    }
  }
} finally {
  set.close();
}
report();

function report(): void {
  const share = (
    some: readonly Score[],
    pick: (one: Score) => boolean = ({ wrong }) => wrong.length === 0,
  ) => `${some.filter(pick).length} of ${some.length}`;
  const of = (file: string) => scores.filter((one) => one.file === file);
  const single = of("broken").filter(({ board }) => board === undefined);
  const boards = of("broken").flatMap(({ board }) => board ?? []);
  const sum = (pick: (one: (typeof boards)[number]) => number) =>
    boards.reduce((total, one) => total + pick(one), 0);
  const judged = [
    ...single,
    ...of("healthy"),
    ...of("unknowable"),
    ...of("wordings"),
    ...of("sre"),
  ];
  console.log(`one outage, first cause right: ${share(single)}
wrong cause stated at .8 or more: ${share(single, ({ wrong, isFinding, confidence }) => wrong.length > 0 && isFinding && confidence >= 0.8)}
false Healthy: ${share(single, ({ isHealthy }) => isHealthy)}
healthy: ${share(of("healthy"))}; unknowable: ${share(of("unknowable"))}
wordings: ${share(of("wordings"))}
SRE questions: ${share(of("sre"))}
boards, causes listed: ${sum(({ listed }) => listed)} of ${sum(({ all }) => all)}, with those in the facts: ${sum(({ inFacts }) => inFacts)}
secrets: ${share(of("secrets"))}
expected calibration error: ${calibrationError(judged).toFixed(3)} over ${judged.length}`);
}

/** Mean distance of confidence and share right, over ten bins. */
function calibrationError(some: readonly Score[]): number {
  const bins = Array.from({ length: 10 }, (_, index) =>
    some.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === index),
  );
  const errors = bins.map((bin) => {
    const right = bin.filter(({ wrong }) => wrong.length === 0).length;
    return Math.abs(bin.reduce((sum, { confidence }) => sum + confidence, 0) - right);
  });
  return errors.reduce((sum, error) => sum + error, 0) / Math.max(1, some.length);
}
