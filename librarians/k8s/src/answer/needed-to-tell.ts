import { readFileSync } from "node:fs";
import { createPhrases, readQuestion } from "@constellation/nlu";
import type { Investigation } from "../investigation.js";
import { isImage } from "../question/images.js";
import { reportsFailure } from "../question/lookup.js";
import { toWords } from "../question/words.js";
import type { Untellable } from "./answer-lookup.js";

/** A question that no object of a cluster answers, and what would: a row of `data/needed-to-tell.json`. */
interface Needed {
  /** Phrases as `createPhrases` reads them: a question with one of each list asks for it. */
  readonly all: readonly string[];
  /** Phrases of questions that ask for something else. */
  readonly none?: string;
  /** True where the name of an image represents the first list. */
  readonly isOfImage?: boolean;
  /** True where a failure that is found says more. */
  readonly unlessShown?: boolean;
  /** What cannot be told, and the word that joins what the question is about. */
  readonly what: string;
  readonly joint: string;
  readonly why: string;
  readonly isOfPerson?: boolean;
  readonly isOfState?: boolean;
}

const rows = (
  JSON.parse(
    readFileSync(new URL("../../data/needed-to-tell.json", import.meta.url), "utf8"),
  ) as readonly Needed[]
).map((row) => ({
  ...row,
  all: row.all.map(createPhrases),
  none: createPhrases(row.none ?? ""),
}));

/** Why what a question asks for cannot be told of objects, whatever was read. Undefined where no row asks for it. */
export function findNeeded({
  question: { query },
  target,
  namespace,
  subject,
  findings,
}: Investigation): Untellable | undefined {
  const { act } = readQuestion(query);
  const isShown =
    act === "why" || (reportsFailure(query) && findings.some((one) => one.current && one.verified));
  const hasImage = toWords(query).some(isImage);
  const row = rows.find(
    ({ all, none, isOfImage = false, unlessShown = false }) =>
      !(unlessShown && isShown) &&
      all.every((each, index) => each.test(query) || (isOfImage && index === 0 && hasImage)) &&
      !none.test(query),
  );
  if (row === undefined) return undefined;
  const { what, joint, why, isOfPerson = false, isOfState = false } = row;
  return {
    what: `${what}${target.kind === "objects" || namespace !== undefined ? ` ${joint} ${subject}` : ""}`,
    why,
    isOfPerson,
    isOfState,
  };
}
