import type { TokenSentence } from "./tokens.js";

/** Words by class. A class is named `@class` in a pattern. */
export type Lexicon = Readonly<Record<string, string>>;

/** Words, and ends of words: `-ed`. */
interface Words {
  readonly whole: ReadonlySet<string>;
  readonly ends: readonly string[];
}

type Step =
  | { readonly kind: "word"; readonly words: Words; readonly isOptional: boolean }
  | { readonly kind: "not"; readonly words: Words }
  | { readonly kind: "any"; readonly except: Words }
  | { readonly kind: "capital" }
  | { readonly kind: "gap"; readonly max: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" };

/** A compiled pattern over the words of a sentence. */
export interface Pattern {
  readonly steps: readonly Step[];
  /** Words that a match begins with; `undefined` for any. */
  readonly first: ReadonlySet<string> | undefined;
}

/**
 * Compiles a pattern. Its items are parted by blanks:
 *
 * - `word`, `one|other`, `@class`: one of these words; `?` behind it makes it optional;
 * - `-ed` in place of a word: any word that ends so;
 * - `Aa`: a word with a capital letter, alone or behind `*!`; `#` among words: any number;
 * - `..3`: up to three words of any kind, no marks but a comma;
 * - `*`: any one word, or any but those of `*!@class`;
 * - `!word`, `!@class`: not one of these next;
 * - `^`: a clause begins here; `$`: the sentence ends here, whatever marks follow.
 */
export function compilePattern(source: string, lexicon: Lexicon): Pattern {
  const steps = source.split(" ").map((item): Step => {
    if (item === "^") return { kind: "start" };
    if (item === "$") return { kind: "end" };
    if (item === "Aa") return { kind: "capital" };
    if (item.startsWith("..")) return { kind: "gap", max: Number(item.slice(2)) };
    if (item === "*") return { kind: "any", except: readWords("", lexicon) };
    if (item.startsWith("*!")) return { kind: "any", except: readWords(item.slice(2), lexicon) };
    if (item.length > 1 && item.startsWith("!"))
      return { kind: "not", words: readWords(item.slice(1), lexicon) };
    const isOptional = item.length > 1 && item.endsWith("?");
    const words = readWords(isOptional ? item.slice(0, -1) : item, lexicon);
    return { kind: "word", words, isOptional };
  });
  const first = new Set<string>();
  for (const step of steps) {
    if (step.kind === "start") continue;
    if (step.kind !== "word") return { steps, first: undefined };
    if (step.words.ends.length > 0) return { steps, first: undefined };
    for (const word of step.words.whole) first.add(word);
    if (!step.isOptional) return { steps, first };
  }
  return { steps, first: undefined };
}

function readWords(item: string, lexicon: Lexicon): Words {
  const listed = item.split("|").flatMap((word) => {
    if (!word.startsWith("@")) return [word];
    const words = lexicon[word.slice(1)];
    if (words === undefined) throw new RangeError(`pattern: expected a class, got ${word}`);
    return words.split(/\s+/).filter((each) => each !== "");
  });
  const isEnd = (word: string) => word.length > 1 && word.startsWith("-");
  return {
    whole: new Set(listed.filter((word) => !isEnd(word))),
    ends: listed.filter(isEnd).map((word) => word.slice(1)),
  };
}

function has({ whole, ends }: Words, word: string): boolean {
  if (whole.has("#") && /^\d/.test(word)) return true;
  return whole.has(word) || ends.some((end) => word.length > end.length + 1 && word.endsWith(end));
}

/**
 * Matches a pattern at a token.
 *
 * @param lastWord - Index of the last token that is a word; -1 for none.
 * @returns The token after the last one that matched; `undefined` when it does not match.
 */
export function matchAt(
  { steps }: Pattern,
  tokens: TokenSentence,
  at: number,
  lastWord: number,
): number | undefined {
  return step(steps, 0, { tokens, lastWord }, at);
}

interface Sentence {
  readonly tokens: TokenSentence;
  readonly lastWord: number;
}

function step(
  steps: readonly Step[],
  index: number,
  sentence: Sentence,
  at: number,
): number | undefined {
  const current = steps[index];
  if (current === undefined) return at;
  const { tokens, lastWord } = sentence;
  const token = tokens[at];
  switch (current.kind) {
    case "start":
      return token?.isClauseStart === true ? step(steps, index + 1, sentence, at) : undefined;
    case "end":
      return at <= lastWord ? undefined : at;
    case "capital":
      return token?.isCapital === true ? step(steps, index + 1, sentence, at + 1) : undefined;
    case "not":
      return token !== undefined && has(current.words, token.word)
        ? undefined
        : step(steps, index + 1, sentence, at);
    case "any":
      return token?.isWord === true &&
        !has(current.except, token.word) &&
        !(token.isCapital && current.except.whole.has("Aa"))
        ? step(steps, index + 1, sentence, at + 1)
        : undefined;
    case "gap":
      for (let skipped = 0; skipped <= current.max; skipped++) {
        const end = step(steps, index + 1, sentence, at + skipped);
        if (end !== undefined) return end;
        const next = tokens[at + skipped];
        if (next === undefined || (!next.isWord && !passable.has(next.word))) return undefined;
      }
      return undefined;
    case "word": {
      const isMatch = token !== undefined && has(current.words, token.word);
      const end = isMatch ? step(steps, index + 1, sentence, at + 1) : undefined;
      return end ?? (current.isOptional ? step(steps, index + 1, sentence, at) : undefined);
    }
  }
}

/** Marks that a gap may hold. */
const passable: ReadonlySet<string> = new Set([",", "%", '"', "'", "₹", "$", "£", "-"]);
