import { redacted } from "./secret-names.js";
import { tokenFormats } from "./token-formats.js";

const alphabets: Readonly<Record<string, string>> = {
  digit: "\\d",
  letter: "[A-Za-z]",
  hex: "[A-Fa-f0-9]",
  upper: "[A-Z0-9]",
  base62: "[A-Za-z0-9]",
  base64: "[A-Za-z0-9+/]",
  base64url: "[\\w-]",
  azure: "[\\w~.-]",
};

interface TokenPattern {
  /** A part that every token of this format holds. */
  readonly keyword: string;
  readonly pattern: RegExp;
}

/** Patterns by the first two characters of their keyword, as {@link pairAt} gives them. */
const patternsByPair = new Map<number, TokenPattern[]>();
for (const pattern of tokenFormats.map(compile)) {
  const pair = pairAt(pattern.keyword, 0);
  const others = patternsByPair.get(pair);
  if (others === undefined) patternsByPair.set(pair, [pattern]);
  else others.push(pattern);
}
const isKeywordPair = Uint8Array.from({ length: 128 * 128 }, (_, pair) =>
  patternsByPair.has(pair) ? 1 : 0,
);

/**
 * Hides tokens with a recognisable format. One pass finds the formats that may occur, so that ordinary text is fast.
 */
export function redactTokens(text: string): string {
  let clean = text;
  for (const pattern of patternsIn(text)) clean = clean.replace(pattern, redacted);
  return clean;
}

function patternsIn(text: string): ReadonlySet<RegExp> {
  const found = new Set<RegExp>();
  for (let at = 1; at < text.length; at++) {
    const pair = pairAt(text, at - 1);
    if (isKeywordPair[pair] !== 1) continue;
    for (const { keyword, pattern } of patternsByPair.get(pair) ?? []) {
      if (text.startsWith(keyword, at - 1)) found.add(pattern);
    }
  }
  return found;
}

/** Two characters as a number; 0 where one is not in ASCII. */
function pairAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  return first < 128 && second < 128 ? first * 128 + second : 0;
}

function compile(format: string): TokenPattern {
  const parts = format.split(/\{(\w+):(\d+(?:,\d*)?)\}/);
  let source = "";
  let keyword = "";
  for (let at = 0; at < parts.length; at += 3) {
    const [literal = "", alphabet, length] = parts.slice(at, at + 3);
    if (literal.length > keyword.length) keyword = literal;
    source += escaped(literal);
    if (alphabet !== undefined) source += `${alphabets[alphabet]}{${length}}`;
  }
  // Searching is fast where an expression begins with fixed text, so the characters before it are checked afterwards.
  const head = escaped(parts[0] ?? "");
  const start = head === "" ? "(?<![A-Za-z0-9])" : `${head}(?<=(?<![A-Za-z0-9])${head})`;
  const rest = source.slice(head.length);
  return { keyword, pattern: new RegExp(`${start}${rest}(?![A-Za-z0-9])={0,2}`, "g") };
}

function escaped(literal: string): string {
  return literal.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
