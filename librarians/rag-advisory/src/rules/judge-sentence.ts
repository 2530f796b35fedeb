import { readFileSync } from "node:fs";
import {
  createLinearModel,
  type Feature,
  type LinearModel,
  type LinearModelData,
  toTextFeatures,
} from "@constellation/nlu";

/** Labels of the fitted classifier. */
export const sentenceLabels = { forbidden: "forbidden", factual: "factual" } as const;
/** Probability from which a sentence counts as forbidden. */
const threshold = 0.52;
/** Maximum number of characters of a sentence that are read. */
const maxLength = 1_000;

let model: LinearModel | undefined;

/**
 * Whether a sentence most probably advises, decides, orders, predicts, negotiates or praises, in English, German,
 * Spanish, Hindi or Hinglish: the second judge besides the patterns, which can only drop a sentence. Logistic regression
 * over runs of its words and letters.
 */
export function isJudgedForbidden(sentence: string): boolean {
  // The file is written by `npm run fit-sentences`.
  model ??= createLinearModel(
    JSON.parse(
      readFileSync(new URL("../../data/sentences.json", import.meta.url), "utf8"),
    ) as LinearModelData,
  );
  const [best] = model.predict(toSentenceFeatures(sentence));
  return best?.label === sentenceLabels.forbidden && best.probability > threshold;
}

/** Runs of words and letters of a sentence, with `<date>`, `<year>` and `<number>` in place of figures. */
export function toSentenceFeatures(sentence: string): readonly Feature[] {
  const masked = sentence
    .slice(0, maxLength)
    .normalize("NFKC")
    .replace(/ \([^()]{1,120}\)(?=[.!?]?$)/, "") // the source that it is quoted with
    .toLowerCase()
    .replace(/\bmay(?= \d)|(?<=\d |in |of |until |by |since )may\b/gu, "<date>")
    .replace(monthNames, "<date>")
    .replace(/\b(?:19|20)\d\d\b/g, "<year>")
    .replace(/\p{N}[\p{N}.,:]{0,40}/gu, "<number>");
  return toTextFeatures(masked, { maxWords: 2 });
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
