import { isFunctionWord, isTellingVerb } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { kindsIn } from "../question/kind-words.js";
import { ignoredWords, toWords } from "../question/words.js";
import { collectLeaves, isBranch, type Leaf, patternOf, printLeaf } from "./leaves.js";
import { singular, splitWords } from "./path-words.js";
import { fieldData } from "./table.js";
import { printValue } from "./template.js";

/** Maximum number of fields that the words of one question name, of places of one field, and of characters of a value. */
const maxFields = 6;
const maxPlaces = 40;
const maxValue = 200;
/** Maximum number of words of a question that are bound, and of objects whose fields are looked at. */
const maxSaid = 60;
const maxObjects = 200;
/** Letters that two forms of a word share, and the maximum number of letters of an ending. */
const minStem = 5;
const maxEnding = 4;
/** Weight of a word of the field itself and of one that it is in, and what a word costs that the question does not have. */
const ownWeight = 2;
const aboveWeight = 1;
const missingCost = 0.6;
/** Words that are in many paths and questions count for less. */
const weakShare = 0.5;

/** A field of objects that words of a question name: `spec.ref.branch`. */
export interface BoundField {
  /** Words of the question that it is bound to. */
  readonly words: readonly string[];
  /** Where it is, one item for each place, the objects in their order. */
  readonly places: readonly {
    readonly object: KubernetesObject;
    readonly path: string;
    readonly line: string;
  }[];
}

/** What the words of a question are bound to. */
export interface Binding {
  /** In the order in which the question names them. */
  readonly fields: readonly BoundField[];
  /** Words that no field has, and those of them that are everyday words. */
  readonly unbound: readonly string[];
  readonly everyday: readonly string[];
}

/** How words are bound. */
export interface BindOptions {
  /** Words that name objects, and therefore no field. */
  readonly names: readonly string[];
  /** Words for kinds, which name no field by themselves. */
  readonly kinds: readonly string[];
  /** The same field of all objects of a kind, or of one that it counts. */
  readonly isMany: boolean;
  /** Words that say something, even if they are everyday words. Where given, they must be all of a field's name. */
  readonly sure?: readonly string[];
}

/** A word of a question with the other words for the same. */
interface SaidWord {
  readonly word: string;
  readonly forms: readonly string[];
  /** Words of `maxUnavailable`, which are all of one field. */
  readonly parts: readonly string[];
  readonly weight: number;
}

interface Candidate {
  readonly object: KubernetesObject;
  readonly leaf: Leaf;
  readonly own: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
  readonly missing: number;
}

const { synonyms, plainWords } = fieldData;
const plain = new Set(plainWords.split(" "));
/** Everyday words that are fields, too. */
const nouns: ReadonlySet<string> = new Set(
  fieldData.fields.flatMap(({ words = "", nouns: own = "", plainNouns: more = "" }) =>
    [words, own, more].flatMap((text) => text.split(/[ ,]/)),
  ),
);

/**
 * Binds the words of a question to fields of objects, whatever their kind: "url and branch" are `spec.url` and
 * `spec.ref.branch`, "path of the liveness probe" is `livenessProbe.httpGet.path`. Each field takes the words that it covers
 * best; what is left is bound to the next one.
 */
export function bindFields(
  query: string,
  objects: readonly KubernetesObject[],
  options: BindOptions,
): Binding {
  const kinds = new Set([...options.kinds, ...objects.map(({ kind }) => kind.toLowerCase())]);
  const said = readSaid(query, { ...options, kinds: [...kinds] });
  const { sure } = options;
  const candidates = ofKinds(query, objects)
    .slice(0, maxObjects)
    .flatMap((object) =>
      collectLeaves(object, true).flatMap((leaf) => matchLeaf(object, leaf, said)),
    )
    .filter(({ missing }) => sure === undefined || missing === 0);
  const weights = new Map(said.map(({ word, weight }) => [word, weight]));
  const left = new Set(said.map(({ word }) => word));
  const fields: BoundField[] = [];
  while (left.size > 0 && fields.length < maxFields) {
    const best = pickBest(candidates, left, weights, sure === undefined && fields.length > 0);
    if (best === undefined) break;
    const same = candidates.filter(
      (one) =>
        isEqualSet(one.own, best.own) &&
        isEqualSet(one.above, best.above) &&
        one.missing === best.missing &&
        isBranch(one.leaf.value) === isBranch(best.leaf.value) &&
        (one.object === best.object ||
          (options.isMany &&
            one.object.kind === best.object.kind &&
            patternOf(one.leaf) === patternOf(best.leaf))),
    );
    const words = [...best.own, ...best.above];
    fields.push({
      words,
      places: same.slice(0, maxPlaces).map(({ object, leaf: { path, value } }) => ({
        object,
        path,
        line: `${path} ${isBranch(value) ? printValue(value) : printLeaf(value, maxValue)}`,
      })),
    });
    for (const word of words) left.delete(word);
  }
  const order = said.map(({ word }) => word);
  const placeOf = ({ words }: BoundField) => Math.min(...words.map((word) => order.indexOf(word)));
  const rest = [...left].filter((word) => !plain.has(word) && !isOfKind(word, kinds));
  return {
    fields: fields.toSorted((a, b) => placeOf(a) - placeOf(b)),
    unbound: rest.filter((word) => !ignoredWords.has(word)),
    everyday: rest.filter((word) => ignoredWords.has(word)),
  };
}

/** The objects whose kind a question has the word of: "hpa web" is no Deployment. All, where it has none. */
function ofKinds(query: string, objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const words = new Set(toWords(query.toLowerCase()).map(singular));
  const kinds = new Set<string>(kindsIn(query).flatMap((one) => one.kinds));
  const meant = objects.filter(({ kind }) => kinds.has(kind) || words.has(kind.toLowerCase()));
  return meant.length > 0 ? meant : objects;
}

function isOfKind(word: string, kinds: ReadonlySet<string>): boolean {
  return kinds.has(word) || kinds.has(`${word}s`);
}

/** The words of a question that may name a field. */
function readSaid(query: string, { names, kinds, sure = [] }: BindOptions): readonly SaidWord[] {
  const named = new Set(names.map((name) => name.toLowerCase()));
  const kindWords = new Set(kinds.map(singular));
  const isSure = new Set(sure.map((word) => singular(word.toLowerCase())));
  const words = toWords(query).filter(
    (word) => !named.has(word.toLowerCase()) && !isGrammar(word.toLowerCase()),
  );
  const split = new Map(
    words.map((word) => {
      const parts = splitWords(word).map(singular);
      return [parts.join(""), parts] as const;
    }),
  );
  const unique = [...split]
    .filter(([word]) => !isGrammar(word) && !/^\d+$/.test(word))
    .slice(0, maxSaid);
  return unique.map(([word, parts]) => ({
    word,
    parts,
    forms: [word, ...(synonyms[word]?.split(" ") ?? [])],
    weight: !isSure.has(word) && (isWeak(word) || kindWords.has(word)) ? weakShare : 1,
  }));
}

function isWeak(word: string): boolean {
  return plain.has(word) || (ignoredWords.has(word) && !nouns.has(word) && !(word in synonyms));
}

function isGrammar(word: string): boolean {
  return !(word in synonyms) && (isFunctionWord(word) || isTellingVerb(word)) && !plain.has(word);
}

function matchLeaf(
  object: KubernetesObject,
  leaf: Leaf,
  said: readonly SaidWord[],
): readonly Candidate[] {
  // "Key vault" is `KEYVAULT`, too.
  const joined = said.flatMap((one, at) => {
    const next = said[at + 1];
    return next !== undefined && leaf.own.includes(one.word + next.word) ? [one, next] : [];
  });
  const all = [...leaf.above, ...leaf.own];
  const isPartly = ({ parts }: SaidWord) =>
    parts.length > 1 &&
    parts.every((part) => all.some((other) => isSameWord(part, other))) &&
    parts.some((part) => leaf.own.includes(part));
  const own = said.filter(
    (one) =>
      joined.includes(one) || hasForm([...leaf.own, leaf.own.join("")], one.forms) || isPartly(one),
  );
  if (own.length === 0) return [];
  const isWhole = own.some(({ forms }) => forms.includes(leaf.own.join("")));
  const missing = isWhole
    ? 0
    : leaf.own.filter(
        (part) => !own.some(({ forms, parts }) => hasForm([part], [...forms, ...parts])),
      ).length;
  // "Grace period" is `terminationGracePeriodSeconds`, and "holder" `holderIdentity`.
  if (missing > Math.max(1, leaf.own.length / 2)) return [];
  const above = said.filter((one) => !own.includes(one) && hasForm([...leaf.above], one.forms));
  const set = (some: readonly SaidWord[]) => new Set(some.map(({ word }) => word));
  return [{ object, leaf, own: set(own), above: set(above), missing }];
}

function hasForm(parts: readonly string[], forms: readonly string[]): boolean {
  return parts.some((part) => forms.some((form) => isSameWord(part, form)));
}

/** `encrypt` and `encryption`, `host` and `hosts`. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short.length >= minStem && long.length - short.length <= maxEnding && long.startsWith(short)
  );
}

/** The candidate that covers most of the words that are left; of equal ones the first of the shortest paths. */
function pickBest(
  candidates: readonly Candidate[],
  left: ReadonlySet<string>,
  weights: ReadonlyMap<string, number>,
  isBesideOthers: boolean,
): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0;
  const sum = (words: ReadonlySet<string>) =>
    [...words].reduce((total, word) => total + (left.has(word) ? (weights.get(word) ?? 0) : 0), 0);
  for (const one of candidates) {
    const own = sum(one.own);
    const above = sum(one.above);
    // A common word alone is as often a part of the sentence as a field.
    const isEnough = own + above >= 1 || (isBesideOthers && own > 0 && one.missing === 0);
    if (!isEnough || (own === 0 && !hasRoot(one, left))) continue;
    const score =
      own * ownWeight +
      above * aboveWeight -
      one.missing * missingCost -
      (isBranch(one.leaf.value) ? missingCost / 2 : 0);
    if (score > most) {
      most = score;
      best = one;
    }
  }
  return best;
}

/** True where what is left says whether the wanted or the present value is meant: "limit and what it has now". */
function hasRoot({ above }: Candidate, left: ReadonlySet<string>): boolean {
  return [...above].some((word) => left.has(word) && synonyms[word] === "status");
}

function isEqualSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((word) => other.has(word));
}
