/**
 * Fits `data/intents.json`, by which a question's intent is read, to the labelled questions of `packages/nlu/questions`,
 * and prints how each source is read by a model of all the others.
 *
 *     npm run fit-intents -w librarians/k8s -- [--score FOLDER] [--folds]
 *
 * `--score` fits nothing: it reads the questions of another folder, in the same format, with the model as it is.
 * `--folds` only prints the folds.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createEntityIndex, findNames, kindOfKinds } from "@constellation/nlu";
import { type FoldScore, fitIntents, scoreFolds } from "@constellation/nlu/fit";
import { readIntent } from "../src/question/intent.js";
import { kindEntities } from "../src/question/kind-words.js";
import { namespaceWord } from "../src/question/link-names.js";
import { parseQuestion } from "../src/question/question.js";
import {
  type LabelledNames,
  type LabelledQuestion,
  loadNames,
  loadQuestions,
  toExamples,
} from "./labelled-questions.js";

const given = process.argv.slice(2);
const options = { penalty: 0.0001, maxFeatures: 4_500, rounds: 120 };
const percent = (part: number, whole: number) =>
  whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;

function print({
  source,
  questions,
  right,
  likely,
  likelyRight,
  certain,
  certainRight,
  confusions,
}: FoldScore): void {
  console.log(
    `${source}: ${questions} questions, right ${percent(right, questions)}; likely ${likely}, of these right ${percent(likelyRight, likely)}; certain ${certain}, of these right ${percent(certainRight, certain)}`,
  );
  if (!given.includes("--confusions")) return;
  const most = [...confusions].sort((a, b) => b[1] - a[1]).slice(0, 12);
  console.log(`  ${most.map(([name, count]) => `${name} ${count}`).join(", ")}`);
}

function scoreGiven(questions: readonly LabelledQuestion[], isBlind: boolean): void {
  for (const source of new Set(questions.map((one) => one.source))) {
    const own = questions.filter((one) => one.source === source);
    const read = own.map((one) => ({
      one,
      ...readIntent(parseQuestion(one.question), isBlind ? undefined : one.names),
    }));
    const isRight = ({ one, intent }: (typeof read)[number]) =>
      intent === one.intent || one.also.includes(intent);
    const likely = read.filter(({ certainty }) => certainty !== "unsure");
    const certain = read.filter(({ certainty }) => certainty === "certain");
    print({
      source: `${source}${isBlind ? " (names guessed)" : ""}`,
      questions: own.length,
      right: read.filter(isRight).length,
      likely: likely.length,
      likelyRight: likely.filter(isRight).length,
      certain: certain.length,
      certainRight: certain.filter(isRight).length,
      confusions: new Map(),
    });
  }
}

/** How often exactly the names are found that a question has, and nothing else. */
function scoreNames(all: readonly LabelledNames[]): void {
  for (const { source, world, questions } of all) {
    const entities = createEntityIndex([...kindEntities, namespaceWord, ...world], {
      wholeNamesOnly: true,
      prepositions: { in: "namespace", on: "node" },
    });
    const right = questions.filter(({ question, names }) => {
      const found = new Set(
        findNames(question, entities)
          .flatMap(({ candidates: [best] }) => best?.entity ?? [])
          .filter(({ kind }) => kind !== kindOfKinds)
          .map(({ name }) => name),
      );
      return found.size === names.size && [...found].every((name) => names.has(name));
    });
    console.log(
      `${source}: exactly the names of ${percent(right.length, questions.length)} of ${questions.length}`,
    );
  }
}

const folder = given[given.indexOf("--score") + 1];
if (given.includes("--score") && folder !== undefined) {
  const questions = loadQuestions(pathToFileURL(`${resolve(folder)}/`));
  scoreGiven(questions, false);
  scoreGiven(questions, true);
  scoreNames(loadNames(pathToFileURL(`${resolve(folder)}/`)));
} else {
  const questions = loadQuestions();
  // Names are guessed, as they are before the cluster is read.
  const examples = toExamples(questions, true);
  if (!given.includes("--folds")) {
    mkdirSync(new URL("../data/", import.meta.url), { recursive: true });
    writeFileSync(
      new URL("../data/intents.json", import.meta.url),
      `${JSON.stringify(fitIntents(examples, options))}\n`,
    );
  }
  console.log("Each source read by a model of the others:");
  for (const fold of scoreFolds(examples, options)) print(fold);
  scoreNames(loadNames());
}
