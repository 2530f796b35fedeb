import { readFileSync } from "node:fs";
import {
  createLinearModel,
  type Feature,
  type LinearModel,
  type LinearModelData,
  type Prediction,
  readQuestion,
  toTextFeatures,
  toWordVector,
} from "@constellation/nlu";
import { romanize } from "../question/romanize.js";

/** Labels of the fitted classifier. */
export const sentenceLabels = { forbidden: "forbidden", factual: "factual" } as const;
/** Probability from which a sentence counts as forbidden. */
const threshold = 0.55;
/** Maximum number of characters of a sentence that are read. */
const maxLength = 1_000;

let model: LinearModel | undefined;

/**
 * Whether a sentence most probably advises, decides, orders, predicts, negotiates or praises, in English, German,
 * Spanish, Hindi or Hinglish: the second judge besides the patterns, which can only drop a sentence. Logistic regression
 * over runs of its words and letters, its cues and the vector of its words.
 */
export function isJudgedForbidden(sentence: string): boolean {
  // The file is written by `npm run fit-sentences`.
  model ??= createLinearModel(
    JSON.parse(
      readFileSync(new URL("../../data/sentences.json", import.meta.url), "utf8"),
    ) as LinearModelData,
  );
  return isForbidden(model.predict(toSentenceFeatures(sentence)));
}

/** Whether a prediction of a sentence is sure enough to drop it. */
export function isForbidden([best]: readonly Prediction[]): boolean {
  return best?.label === sentenceLabels.forbidden && best.probability > threshold;
}

/**
 * Runs of words and letters of a sentence, with `<date>`, `<year>` and `<number>` in place of figures; the vector of its
 * words; and its cues, alone and by twos: what they say of one language holds for the others.
 */
export function toSentenceFeatures(sentence: string): readonly Feature[] {
  const text = sentence.slice(0, maxLength).normalize("NFKC");
  const masked = text
    .replace(/ \([^()]{1,120}\)(?=[.!?]?$)/, "") // the source that it is quoted with
    .toLowerCase()
    .replace(/\bmay(?= \d)|(?<=\d |in |of |until |by |since )may\b/gu, "<date>")
    .replace(monthNames, "<date>")
    .replace(/\b(?:19|20)\d\d\b/g, "<year>")
    .replace(/\p{N}[\p{N}.,:]{0,40}/gu, "<number>");
  const cues = findCues(text);
  const pairs = cues.flatMap((cue, at) => cues.slice(at + 1).map((other) => `${cue}+${other}`));
  const value = cueStrength / Math.sqrt(Math.max(1, cues.length + pairs.length));
  return [
    ...toTextFeatures(masked, { maxWords: 2 }),
    ...Array.from(toWordVector(text) ?? [], (v, at): Feature => [`v ${at}`, v * vectorStrength]),
    ...[...cues, ...pairs].map((name): Feature => [`k ${name}`, value]),
  ];
}

/** Length of the vector of a sentence, beside those. */
const vectorStrength = 0.7;
/** Length of all cues of a sentence together, beside 2 of its words and 1 of its letters. */
const cueStrength = 1.5;

/** What the words of a sentence are cues of, in any of the languages: an order, the future, a person who is addressed. */
function findCues(text: string): readonly string[] {
  matchers ??= readMatchers();
  const latin = romanize(text).toLowerCase();
  const found = new Set(forms.flatMap(([cue, form]) => (form.test(text) ? [cue] : [])));
  if (hindiOrder.test(latin)) found.add("order");
  for (const { act, isModal, isPast, isHypothetical } of readQuestion(text).clauses) {
    if (act === "order") found.add("order");
    if (isModal) found.add("should");
    if (isPast) found.add("past");
    if (isHypothetical) found.add("if");
  }
  for (const word of latin.match(/[\p{L}\p{M}']+/gu) ?? [])
    for (const { cue, isOf } of matchers) if (isOf(word)) found.add(cue);
  return [...found].sort();
}

/** Forms that need the case of letters, or a mark. */
const forms: readonly (readonly [cue: string, form: RegExp])[] = [
  ["order", /\p{Ll}en Sie\b/u],
  ["you", /[^.!?:]\s(?:Sie|Ihr(?:e[nmrs]?)?|Ihnen)\b/u],
  ["!", /!/],
  // A word that is spoken of, and a rule: "A counter-offer is an answer that ...".
  ["mentions", /["“”„«»]/u],
  [
    "defines",
    /^(?:An?|Eine?|Una?) [^.,:;]{2,60}? (?:is|means|ist|es) (?:an?|the|eine?|der|die|das|una?|el|la) /u,
  ],
  ["#", /\p{N}/u],
];
const hindiOrder = /(?:ie|iye|iega|iyega)(?![\p{L}\p{M}])/u;

interface CueMatcher {
  readonly cue: string;
  readonly isOf: (word: string) => boolean;
}

let matchers: readonly CueMatcher[] | undefined;

/** Reads the words of cues: whole, `recommend*` by their beginning, `*ará` by their end; Hindi in Latin letters. */
function readMatchers(): readonly CueMatcher[] {
  const listed = JSON.parse(
    readFileSync(new URL("../../data/cues.json", import.meta.url), "utf8"),
  ) as Readonly<Record<string, string>>;
  return Object.entries(listed).map(([cue, list]) => {
    const words = list.split(" ");
    const whole = new Set(words);
    const heads = words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));
    const tails = words.filter((word) => word.startsWith("*")).map((word) => word.slice(1));
    const isOf = (word: string) =>
      whole.has(word) ||
      heads.some((head) => word.startsWith(head)) ||
      tails.some((tail) => word.length > tail.length && word.endsWith(tail));
    return { cue, isOf };
  });
}

const monthNames = new RegExp(
  `(?<!\\p{L})(?:${["en", "de", "es"]
    .flatMap((language) => {
      const format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, month) =>
        format.format(Date.UTC(2020, month, 1)).toLowerCase(),
      );
    })
    .filter((name) => name !== "may")
    .join("|")})(?!\\p{L})`,
  "gu",
);
