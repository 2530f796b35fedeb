import { codePieces } from "../code-marks.js";
import type { Pattern, Token } from "./pattern.js";
import { patterns } from "./table.js";

/** A token with the pattern that saw it. */
export interface PatternToken {
  readonly pattern: Pattern;
  readonly token: Token;
  /** The same for two tokens that mean the same. */
  readonly key: string;
}

/**
 * The tokens of a text that can be checked, each once, in the order of {@link patterns}.
 *
 * @param most - No more than this many are given.
 */
export function extractTokens(text: string, most = Infinity): readonly PatternToken[] {
  const found = new Map<string, PatternToken>();
  const code = codePieces(text);
  let rest = text;
  for (const pattern of patterns) {
    const tokens = pattern.extract({ whole: text, text: rest, code });
    for (const token of tokens) {
      const key = `${pattern.kind} ${keyOf(pattern, token)}`;
      if (!found.has(key)) found.set(key, { pattern, token, key });
      if (found.size >= most) return [...found.values()];
    }
    rest = blank(rest, tokens);
  }
  return [...found.values()];
}

function keyOf(pattern: Pattern, token: Token): string {
  return pattern.key?.(token) ?? token.text.toLowerCase();
}

/** The text with blanks in place of the tokens; lines stay. */
function blank(text: string, tokens: readonly Token[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of tokens.toSorted((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    pieces.push(text.slice(at, from), " ".repeat(end - from));
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}
