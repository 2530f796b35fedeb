import { lexicon } from "./lexicon.js";
import { describes, describesBare, loose } from "./statement-verbs.js";
import type { Token, TokenSentence } from "./tokens.js";

const toSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const past = toSet(lexicon.past);
const places = toSet(lexicon.places);
const kinds = toSet(lexicon.kind);
const numbers = toSet(lexicon.figure);
const descriptive = toSet(lexicon.descriptive);
const participle = toSet(lexicon.participle);
const be = toSet("is are isn't aren't be been being am");
const vague = toSet(
  "no all its it their every everything nothing much little away off up out on over back down itself good great better best more most some any ahead short well full real true excellent sure",
);
const auxiliaries = toSet("has have do does will can may must shall");
const allowing = toSet("may must shall cannot");
const publicBodies = toSet(lexicon.publicBody);
const determiners = toSet(`${lexicon.determiner} no more most very`);
const adverbs = toSet(
  "not only also now still already currently partly mostly usually generally normally often always",
);
const pluralSubject = toSet(
  "they who that which people families children both most many some all must may not cannot also can",
);

/** Words of the shortest sentence that is looked at. */
const minWords = 4;
/** Words between "is a" and the noun that says what kind of thing it is. */
const maxModifiers = 4;

/**
 * Whether a sentence states nothing that could be looked up: it has no figure, date, past event or
 * source, and no verb that describes, allows, records or regulates. Sentences without an end mark are left
 * alone.
 */
export function isUnsupported(sentence: TokenSentence): boolean {
  const last = sentence.at(-1);
  if (last?.word !== "." && last?.word !== "!") return false;
  const words = sentence.filter(({ isWord }) => isWord);
  if (words.length < minWords || sentence.some(({ word }) => word === ":")) return false;
  // A heading claims nothing.
  const hasVerb = words.some(({ word }) => be.has(word) || auxiliaries.has(word) || isPlural(word));
  if (!hasVerb) return false;
  const firstPlural = words.findIndex(({ word }) => isPlural(word));
  return !words.some(
    (token, at) =>
      isFigure(token) ||
      isPast(words, at) ||
      isDescription(words, at, firstPlural !== -1 && firstPlural < at),
  );
}

/** Whether a word has the ending of a plural, and of a verb's third person. */
function isPlural(word: string): boolean {
  return /[^siu]s$/.test(word);
}

function isFigure({ word }: Token): boolean {
  return /\d/.test(word) || numbers.has(word);
}

function isPast(words: readonly Token[], at: number): boolean {
  const word = words[at]?.word ?? "";
  if (at === 0) return false;
  if (past.has(word)) return true;
  const before = words[at - 1]?.word ?? "";
  return word.length > 4 && word.endsWith("ed") && !be.has(before) && !determiners.has(before);
}

function isDescription(words: readonly Token[], at: number, isAfterPlural: boolean): boolean {
  const word = words[at]?.word ?? "";
  if (describes.has(word) || (loose.has(word) && isPlainObject(words[at + 1]))) return at > 0;
  if (word === "according") return true;
  const before = words[at - 1]?.word ?? "";
  if (describesBare.has(word) && at > 0 && at < words.length - 1)
    return pluralSubject.has(before) || isAfterPlural;
  // What a public body or everyone of a kind may and must do is laid down somewhere.
  if (allowing.has(word) && at > 0) return publicBodies.has(before) || isPlural(before);
  // A future that no rule calls a prediction is an announcement.
  if (word === "will") return at > 0;
  if (word === "has" || word === "have") return at > 0;
  if (!be.has(word)) return false;
  let next = at + 1;
  while (adverbs.has(words[next]?.word ?? "") || (words[next]?.word ?? "").endsWith("ly"))
    next += 1;
  const complement = words[next];
  if (complement === undefined) return false;
  const said = complement.word;
  if (
    /(?:ed|en|ic|ing)$/.test(said) ||
    participle.has(said) ||
    places.has(said) ||
    descriptive.has(said)
  )
    return !determiners.has(said) || isKind(words, next);
  return complement.isCapital || isKind(words, next - 1);
}

/** Whether an object begins that names a thing: `takes payment`, `runs from`, `gives opening hours`. */
function isPlainObject(token: Token | undefined): boolean {
  return token !== undefined && !vague.has(token.word);
}

/** Whether a noun that says what kind of thing it is stands within a few words. */
function isKind(words: readonly Token[], from: number): boolean {
  for (let at = from + 1; at <= from + maxModifiers; at++) {
    const word = words[at]?.word;
    if (word === undefined || places.has(word)) return false;
    if (kinds.has(word)) return true;
  }
  return false;
}
