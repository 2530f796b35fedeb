import { readdirSync, readFileSync } from "node:fs";
import { isRecord, listAt, textAt } from "../src/cluster/fields.js";
import { guessNames, maskNames } from "../src/question/intent.js";
import { readHints } from "../src/question/intent-hints.js";
import { parseQuestion } from "../src/question/question.js";

/** A question, what it wants, and where it comes from. */
export interface LabelledQuestion {
  readonly source: string;
  readonly question: string;
  readonly intent: string;
  readonly also: readonly string[];
  /** The names in it as the cluster has them; undefined where that is not known. */
  readonly names: readonly { readonly kind: string; readonly name: string }[] | undefined;
}

/** The labelled questions of the repository. */
export const questionFolder = new URL("../../../packages/nlu/questions/", import.meta.url);

/** Names in place of the placeholders of a question. */
const placeholders: readonly (readonly [mark: RegExp, kind: string, name: string])[] = [
  [/@n\b/g, "Workload", "cart-api"],
  [/@(?:s|ns)\b/g, "Namespace", "shop-eu"],
  [/@(?:d|node)\b/g, "Node", "worker-a1"],
  [/@h\b/g, "Host", "shop.example.com"],
  [/@t\b/g, "", "10:30"],
];

/** Reads every file of questions in a folder: `.json` with whole questions, `.txt` with placeholders. */
export function loadQuestions(folder: URL = questionFolder): readonly LabelledQuestion[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const text = readFileSync(new URL(name, folder), "utf8");
      const source = name.replace(/\.\w+$/, "");
      if (name.endsWith(".txt")) return readLines(source, text);
      return name.endsWith(".json") ? readJson(source, JSON.parse(text)) : [];
    });
}

function readLines(source: string, text: string): readonly LabelledQuestion[] {
  let intents: readonly string[] = [];
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("#")) intents = line.split(/[#\s]+/).filter((word) => word !== "");
    const [intent, ...also] = intents;
    if (line.startsWith("#") || line.trim() === "" || intent === undefined) return [];
    const names = placeholders.filter(([mark, kind]) => kind !== "" && line.search(mark) >= 0);
    const question = placeholders.reduce((so, [mark, , name]) => so.replace(mark, name), line);
    return [
      { source, question, intent, also, names: names.map(([, kind, name]) => ({ kind, name })) },
    ];
  });
}

function readJson(source: string, data: unknown): readonly LabelledQuestion[] {
  return listAt(data, "questions")
    .filter(isRecord)
    .flatMap((one) => {
      const [question, intent] = [textAt(one, "question"), textAt(one, "intent")];
      if (question === undefined || intent === undefined) return [];
      const also = listAt(one, "also").filter((other) => typeof other === "string");
      return [{ source, question, intent, also, names: namesIn(one) }];
    });
}

/** What a question names, as it is written in it. */
function namesIn(one: unknown): LabelledQuestion["names"] {
  return listAt(one, "entities").flatMap((entity) => {
    const [kind = "", name] = [textAt(entity, "kind"), textAt(entity, "text")];
    const own = { namespace: "Namespace", node: "Node", host: "Host" }[kind] ?? "Workload";
    return name === undefined || kind === "time" ? [] : [{ kind: own, name }];
  });
}

/** Questions as `fitIntents` takes them. With `isBlind`, names are guessed as they are before a cluster is read. */
export function toExamples(questions: readonly LabelledQuestion[], isBlind = false) {
  return questions.map(({ source, question, intent, also, names }) => {
    const parsed = parseQuestion(question);
    const named = isBlind || names === undefined ? guessNames(parsed) : names;
    return {
      source,
      intent,
      also,
      masked: maskNames(parsed.query, named),
      hints: readHints(parsed),
    };
  });
}

/** What exists for the writer of a file of questions, and what each question names of it. */
export interface LabelledNames {
  readonly source: string;
  readonly world: readonly { readonly kind: string; readonly name: string }[];
  readonly questions: readonly { readonly question: string; readonly names: ReadonlySet<string> }[];
}

/** Reads the `.json` files of a folder whose questions are labelled with what they name. */
export function loadNames(folder: URL = questionFolder): readonly LabelledNames[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => {
      const data: unknown = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
      const world = listAt(data, "world").flatMap((one) => {
        const [kind, own] = [textAt(one, "kind"), textAt(one, "name")];
        return kind === undefined || own === undefined ? [] : [{ kind, name: own }];
      });
      const known = new Set(world.map((one) => one.name));
      const questions = listAt(data, "questions").map((one) => ({
        question: textAt(one, "question") ?? "",
        names: new Set(
          listAt(one, "entities")
            .flatMap((entity) => textAt(entity, "name") ?? [])
            .filter((own) => known.has(own)),
        ),
      }));
      return world.length === 0 ? [] : [{ source: name.replace(/\.\w+$/, ""), world, questions }];
    });
}
