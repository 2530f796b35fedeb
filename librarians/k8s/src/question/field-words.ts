import {
  createPhrases,
  isAuxiliary,
  isCommonWord,
  isFunctionWord,
  isTellingVerb,
} from "@constellation/nlu";
import { fieldData } from "../fields/table.js";
import { conditionsIn } from "./condition-words.js";
import { kindsIn } from "./kind-words.js";
import { phrases } from "./question-words.js";
import { ignoredWords, toWords } from "./words.js";

const asked = /\b(?:which|what|show|list|get|tell|does|has|have|do)\b/i;

/** Patterns of the fields that a sentence asks for. */
const table = fieldData.fields.flatMap(({ name, asks = [] }) =>
  asks.map((lists) => ({
    name,
    tests: lists.map((list) => {
      const isAbsent = list.startsWith("!");
      const found = createPhrases(isAbsent ? list.slice(1) : list);
      return (text: string) => found.test(text) !== isAbsent;
    }),
  })),
);

/** Nouns for fields; plain ones ask for it in a sentence, too. */
const nouns = fieldData.fields.flatMap(({ name, nouns: own = "", plainNouns = "" }) =>
  [...own.split(","), ...plainNouns.split(",")].flatMap((word) =>
    word === "" ? [] : [{ field: name, word, isPlain: plainNouns.split(",").includes(word) }],
  ),
);

function padded(query: string): string {
  return ` ${query
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()} `;
}

/** Words of a text that are nouns of fields, and the fields. */
function nounsIn(query: string, isPlain: boolean) {
  const text = padded(query);
  const hits = nouns.filter(
    (noun) =>
      (noun.isPlain || !isPlain) &&
      [noun.word, `${noun.word}s`, noun.word.replaceAll(" ", "")].some((form) =>
        text.includes(` ${form} `),
      ),
  );
  // A storage class is no storage.
  return hits.filter(
    ({ word, field }) =>
      !hits.some((one) => one.field !== field && one.word.split(" ").includes(word)),
  );
}

/** Words behind which stands what has a property. */
const joints: ReadonlySet<string> = new Set(["of", "on", "in", "for", "from", "at"]);
/** Words of a sentence or a count, which is no phrase. */
const others: ReadonlySet<string> = new Set(["many", "which", "what", "who", "why", "how"]);
/** Words for revisions, which have the field: "image of the old and the new replicaset". */
const ofRevisions = ["old", "new", "previous", "current", "former"];
/** Maximum number of words of a phrase, and of those that may be names. */
const maxPhrase = 14;
const maxNames = 2;

/**
 * Properties that a phrase without a verb asks for: every word is one of grammar, a kind, a property, or the name of what
 * has it. Empty for a sentence.
 */
function phraseIn(query: string): readonly string[] {
  const words = toWords(query.toLowerCase());
  const isOther =
    words.length > maxPhrase ||
    words.some((word) => others.has(word) || word.startsWith("annotation"));
  if (isOther) return [];
  const found = nounsIn(query, false);
  if (found.length === 0) return [];
  const kinds = new Set(kindsIn(query).flatMap(({ text }) => text.split(" ")));
  const own = new Set(
    ["init", ...ofRevisions, ...found.flatMap(({ word }) => word.split(" "))].flatMap((word) => [
      word,
      `${word}s`,
    ]),
  );
  const isKnown = (word: string | undefined) =>
    word !== undefined && (own.has(word) || kinds.has(word));
  const unknown = words.flatMap((word, at) =>
    isKnown(word) || (isFunctionWord(word) && !isAuxiliary(word)) || isTellingVerb(word)
      ? []
      : [{ word, at }],
  );
  const isName = ({ word, at }: { readonly word: string; readonly at: number }) => {
    if (isAuxiliary(word) || ignoredWords.has(word)) return false;
    const [before, after] = [words[at - 1], words[at + 1]];
    if (/[-._/0-9]/.test(word) || joints.has(before ?? "")) return true;
    const isBehindJoint = joints.has(words[at - 2] ?? "") && isFunctionWord(before ?? "");
    return isBehindJoint || ((isKnown(before) || isKnown(after)) && !isCommonWord(word));
  };
  if (unknown.length > maxNames || !unknown.every(isName)) return [];
  // A kind that is the first word is what is asked about: "node n1".
  const fields = found
    .filter(({ word }) => !kinds.has(word) || padded(query).includes(` ${word} of `))
    .map(({ field }) => field);
  const rest = words.filter((word) => !isKnown(word)).join(" ");
  return conditionsIn(rest).size > 0 ? [] : [...new Set(fields)];
}

const beginning = phrases("field-words.beginning");
/** What a container runs: whatever it is asked for, that is in it. */
const command = /\b(?:args|arguments?|command(?: line)?|entrypoint)\b/i;
const denial = phrases("field-words.denial");

/** Properties that a question asks for. Empty for one about anything else. */
export function fieldsIn(query: string): readonly string[] {
  if (command.test(query)) return ["command"];
  if (denial.test(query)) return [];
  const fields = phraseIn(query);
  if (fields.length > 0) return fields;
  if (!beginning.test(query)) return [];
  const found = [
    ...table.flatMap(({ name, tests }) => (tests.every((test) => test(query)) ? [name] : [])),
    ...(asked.test(query) ? nounsIn(query, true).map(({ field }) => field) : []),
  ];
  // A node's versions are not those of an image.
  const isOfNode = found.includes("version");
  if (isOfNode) return found.filter((field) => field !== "image");
  // "When does it run next?" asks for a schedule, "how long has it been up" for an age.
  return found.length === 0 && asksRun(query) ? ["run"] : [...new Set(found)];
}

/** What a question asks about a run in time. */
const time = phrases("run-words.time");
const run = phrases("run-words.run");

/** True for a question when something ran, started or ended, how long it took, or how it ended. */
function asksRun(query: string): boolean {
  return time.test(query) && run.test(query);
}

/** True for a question that a moment in the past answers: "when did the import fail?" */
export function asksMoment(query: string): boolean {
  const [first, second = ""] = toWords(query.toLowerCase());
  return first === "when" && ["did", "was", "were"].includes(second);
}
