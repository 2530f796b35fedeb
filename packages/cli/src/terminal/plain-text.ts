import { stripVTControlCharacters } from "node:util";

/** Everything that moves a cursor, changes a terminal's state or turns text around; not `\n`, `\t`. */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Makes text that others wrote safe to show: without escape sequences, control characters and marks
 * that reverse the order of what follows. Line ends become `\n`.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replaceAll(controls, "");
}

/** The same, in one line of at most `longest` characters. */
export function plainLine(text: string, longest = 1_000): string {
  const cut = text.length > longest * 4 ? text.slice(0, longest * 4) : text;
  const line = plainText(cut).replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** JSON of any value; what a terminal could obey stands in it as `\uXXXX`. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
