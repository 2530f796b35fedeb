import { measureLikeness } from "../text/word-vectors.js";
import { areContrary } from "./antonyms.js";
import { isCommonForm } from "./common-forms.js";
import { type Ground, knows, type ReadPassage } from "./ground.js";
import type { Statement, Word } from "./read-statement.js";

/** Share of words that may be in no passage, and number of words from which it counts. */
const maxUnknown = 0.6;
const tellingWords = 4;
/** From which likeness on two words are taken for one meaning. */
const minLikeness = 0.35;

/** Words of content that no cited passage has. */
export function unknownWords(
  said: Statement,
  passages: readonly ReadPassage[],
): Statement["words"] {
  return said.words.filter(
    ({ isContent, isId, lower, stem }) =>
      isContent && !isId && !knows(passages, lower) && !knows(passages, stem),
  );
}

/** Most of its words are in no cited passage. */
export function isUnknown(said: Statement, { cited }: Ground): boolean {
  const content = said.words.filter(({ isContent, isId }) => isContent && !isId);
  const unknown = unknownWords(said, cited);
  return content.length >= tellingWords && unknown.length / content.length > maxUnknown;
}

/** A short sentence of which half is in no passage: "It is healthy". */
export function isBare(said: Statement, { cited }: Ground): boolean {
  const content = said.words.filter(({ isContent, isId }) => isContent && !isId);
  const unknown = unknownWords(said, cited).length;
  const isShort = said.words.length < 6 && content.length < tellingWords;
  const isPlain = said.quantities.length === 0 && said.times.length === 0;
  return isShort && isPlain && unknown > 0 && unknown * 2 >= content.length;
}

/** A rare word, which names something, stands where the source has another one. */
export function isReplaced(said: Statement, { cited, statements, language }: Ground): boolean {
  if (language !== "en") return false;
  return unknownWords(said, cited).some(
    (word) =>
      !/(?:ed|ing|ly)$/.test(word.lower) &&
      !isCommonForm(word.lower) &&
      !isParaphrase(word, said, statements) &&
      replacesWord(word, said, statements),
  );
}

/** A word of the source that the sentence lacks is used like it. */
function isParaphrase(word: Word, said: Statement, statements: readonly Statement[]): boolean {
  const stems = new Set(said.words.map(({ stem }) => stem));
  return statements.some(({ words }) =>
    words.some(
      (one) =>
        one.isContent &&
        !stems.has(one.stem) &&
        !areContrary(one.stem, word.stem) &&
        (measureLikeness(one.lower, word.lower) ?? 0) > minLikeness,
    ),
  );
}

/** It stands behind a word that is followed by something else in the source, which the sentence lacks. */
function replacesWord(word: Word, said: Statement, statements: readonly Statement[]): boolean {
  const content = said.words.filter(({ isContent }) => isContent);
  const before = content[content.indexOf(word) - 1];
  const stems = new Set(content.map(({ stem }) => stem));
  if (before === undefined || before.isId) return false;
  return statements.some(({ words }) => {
    const own = words.filter(({ isContent }) => isContent);
    return own.some(
      ({ stem }, at) =>
        stem === before.stem && own[at + 1] !== undefined && !stems.has(own[at + 1]?.stem ?? ""),
    );
  });
}

/** Most of what no cited passage has is in another one. */
export function isElsewhere(said: Statement, { cited, others }: Ground): boolean {
  const missing = said.words.filter(
    ({ isContent, lower, stem }) => isContent && !knows(cited, lower) && !knows(cited, stem),
  );
  const found = missing.filter(({ lower, stem }) => knows(others, lower) || knows(others, stem));
  // The subject is another passage's.
  const subject = said.words.find(({ isContent }) => isContent);
  if (subject?.isFirst === true && found.includes(subject)) return true;
  return found.length > 1 && found.length * 2 >= missing.length;
}
