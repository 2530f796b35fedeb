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

/** Objects within objects that JSON is made of, at most: more would exhaust the stack. */
const deepest = 500;

/**
 * JSON of any value; what a terminal could obey stands in it as `\uXXXX`. What JSON cannot hold does
 * as text: a big integer by its digits, an object inside itself as `[cycle]`.
 */
export function plainJson(value: unknown): string {
  const above: object[] = [];
  const printable = function (this: unknown, _key: string, each: unknown): unknown {
    if (typeof each === "bigint") return String(each);
    if (typeof each !== "object" || each === null) return each;
    // `this` holds `each`: what stands beyond it on the way down is no longer above.
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(each)) return "[cycle]";
    if (above.length === deepest) return "[too deep]";
    above.push(each);
    return each;
  };
  return (JSON.stringify(value, printable, 2) ?? "null").replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
