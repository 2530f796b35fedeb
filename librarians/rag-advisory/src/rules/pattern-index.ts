import { compilePattern, type Lexicon, matchAt, type Pattern } from "./pattern.js";
import type { TokenSentence } from "./tokens.js";

/** Patterns by the word they begin with. */
export interface PatternIndex {
  readonly byWord: ReadonlyMap<string, readonly Pattern[]>;
  readonly anywhere: readonly Pattern[];
}

/**
 * Compiles patterns.
 *
 * @throws RangeError for a class that the lexicon does not have.
 */
export function indexPatterns(sources: readonly string[], lexicon: Lexicon): PatternIndex {
  const byWord = new Map<string, Pattern[]>();
  const anywhere: Pattern[] = [];
  for (const source of sources) {
    const pattern = compilePattern(source, lexicon);
    if (pattern.first === undefined) anywhere.push(pattern);
    for (const word of pattern.first ?? []) {
      const known = byWord.get(word);
      if (known === undefined) byWord.set(word, [pattern]);
      else known.push(pattern);
    }
  }
  return { byWord, anywhere };
}

/** The first piece of a sentence that a pattern matches. */
export function findPattern(
  sentence: TokenSentence,
  { byWord, anywhere }: PatternIndex,
): { readonly start: number; readonly end: number } | undefined {
  const lastWord = sentence.findLastIndex(({ isWord }) => isWord);
  for (let at = 0; at < sentence.length; at++) {
    const patterns = byWord.get(sentence[at]?.word ?? "");
    const end =
      matchAny(patterns, sentence, at, lastWord) ?? matchAny(anywhere, sentence, at, lastWord);
    if (end === undefined) continue;
    const last = sentence[Math.max(at, end - 1)];
    return { start: sentence[at]?.start ?? 0, end: last?.end ?? 0 };
  }
  return undefined;
}

function matchAny(
  patterns: readonly Pattern[] | undefined,
  sentence: TokenSentence,
  at: number,
  lastWord: number,
): number | undefined {
  for (const pattern of patterns ?? []) {
    const end = matchAt(pattern, sentence, at, lastWord);
    if (end !== undefined) return end;
  }
  return undefined;
}
