import { rankOf } from "../text/common-words.js";
import type { Statement, Word } from "./read-statement.js";
import { listValues } from "./values.js";

/** A word of content, a name or a number, in its place in a statement. */
export interface Item {
  readonly key: string;
  readonly kind: "word" | "name" | "number";
  readonly lower: string;
  readonly part: number;
  /** Number of its clause: parts with two items or more, with those of one beside them: "supply and demand rise". */
  readonly clause: number;
  /** How much it tells. */
  readonly weight: number;
  /** The words of grammar before it: "by the". */
  readonly cue: string;
  /** The word behind it in its part. */
  readonly next: string;
  /** The first of its part. */
  readonly opens: boolean;
  /** Behind what denies it. */
  readonly isDenied: boolean;
}

/** A statement by its items. */
export interface ItemList {
  readonly items: readonly Item[];
  readonly keys: ReadonlySet<string>;
  /** It begins with a pronoun, and continues what the statement before says. */
  readonly goesOn: boolean;
}

/** Stems of words that tell little. */
export const lightWords = new Set("us add get tak make giv com go do need allow run".split(" "));

const pronoun = /^(?:it|she|he|they|er|sie|es|ella|él)$/;

/** @param names - Stems of the names of the sources: a name may also begin a sentence. */
export function listItems(statement: Statement, names: ReadonlySet<string>): ItemList {
  const { words } = statement;
  const placed: { readonly at: number; readonly item: Item }[] = [];
  const values = listValues(statement).filter(({ kind }) => kind !== "name");
  for (const { key, at, part } of values)
    placed.push({
      at: at - 0.5,
      item: {
        ...{ key, kind: "number", lower: key, part, clause: 0, weight: nameWeight },
        ...{ cue: "", next: "", opens: false, isDenied: false },
      },
    });
  const opened = new Set<number>();
  for (const [at, word] of words.entries()) {
    if (!word.isContent) continue;
    const { stem: key, lower, part } = word;
    const kind = isName(word, names) ? "name" : "word";
    placed.push({
      at,
      item: {
        ...{
          key,
          kind,
          lower,
          part,
          clause: 0,
          weight: kind === "name" ? nameWeight : weigh(word),
        },
        cue: cueOf(words, at),
        next: words[at + 1]?.part === part ? (words[at + 1]?.lower ?? "") : "",
        opens: !opened.has(part),
        isDenied: word.isDenied,
      },
    });
    opened.add(part);
  }
  const items = withClauses(placed.sort((a, b) => a.at - b.at).map(({ item }) => item));
  return {
    items,
    keys: new Set(items.map(({ key }) => key)),
    goesOn: pronoun.test(words[0]?.lower ?? ""),
  };
}

function withClauses(items: readonly Item[]): readonly Item[] {
  const clauses: Item[][] = [];
  for (const item of items) {
    const last = clauses.at(-1);
    if (last === undefined || (last.length > 1 && last.at(-1)?.part !== item.part))
      clauses.push([item]);
    else last.push(item);
  }
  const end = clauses.length > 1 && clauses.at(-1)?.length === 1 ? clauses.pop() : [];
  if (end !== undefined) clauses.at(-1)?.push(...end);
  return clauses.flatMap((one, clause) => one.map((item) => ({ ...item, clause })));
}

function isName({ isId, text, isFirst, stem }: Word, names: ReadonlySet<string>): boolean {
  const isKnown = () => names.has(stem) || rankOf(text.toLowerCase()) === undefined;
  return isId || (/^\p{Lu}/u.test(text) && (!isFirst || isKnown()));
}

export const nameWeight = 1.5;
const lightWeight = 0.25;
const commonestWeight = 0.4;
const vocabulary = 11_000;

/** The rarer, the more. */
function weigh({ stem, lower }: Word): number {
  if (lightWords.has(stem)) return lightWeight;
  const rarity = Math.log(2 + (rankOf(lower) ?? vocabulary)) / Math.log(2 + vocabulary);
  return commonestWeight + (1 - commonestWeight) * rarity;
}

/** The words of grammar before a noun, also with one word between: "by the safety officer". */
function cueOf(words: readonly Word[], at: number): string {
  const part = words[at]?.part;
  const near = words.slice(Math.max(0, at - 3), at).filter((one) => one.part === part);
  const last = near.findLastIndex(({ isContent }) => !isContent);
  if (last < 0 || near.length - last > 2) return near.at(-1)?.lower ?? "";
  const [one, two] = [near[last]?.lower ?? "", near[last - 1]];
  return two?.isContent === false ? `${two.lower} ${one}` : one;
}
