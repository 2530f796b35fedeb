import { codePieces } from "../code-marks.js";
import type { Pattern, Token } from "./pattern.js";
import { patterns } from "./table.js";

/** A token with the pattern that found it. */
export interface PatternToken {
  readonly pattern: Pattern;
  readonly token: Token;
  /** Equal for two tokens with the same meaning. */
  readonly key: string;
}

/** Extracts the checkable tokens of a text, each once, in the order of {@link patterns}.
 *
 * @param maxTokens - Maximum number of tokens returned.
 */
export function extractTokens(text: string, maxTokens = Infinity): readonly PatternToken[] {
  const found = new Map<string, PatternToken>();
  const code = codePieces(text);
  let rest = text;
  for (const pattern of patterns) {
    const tokens = pattern.extract({ whole: text, text: rest, code });
    for (const token of tokens) {
      const key = `${pattern.kind} ${toKey(pattern, token)}`;
      if (!found.has(key)) found.set(key, { pattern, token, key });
      if (found.size >= maxTokens) return [...found.values()];
    }
    rest = blank(rest, tokens);
  }
  return [...found.values()];
}

function toKey(pattern: Pattern, token: Token): string {
  return pattern.key?.(token) ?? token.text.toLowerCase();
}

/** Replaces the tokens in a text by spaces; line breaks stay. */
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
