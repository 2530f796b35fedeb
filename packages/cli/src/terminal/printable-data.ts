import type { CommandIO } from "../command-io.js";

/** Form of what a command prints: for people, or data for programs. */
export type OutputFormat = "table" | "json" | "yaml";

/** Prints data on stdout, as JSON or YAML. */
export async function printData(
  value: unknown,
  format: "json" | "yaml",
  { stdout }: Pick<CommandIO, "stdout">,
): Promise<void> {
  const json = printableJson(value);
  if (format === "json") stdout.write(`${json}\n`);
  else stdout.write((await import("yaml")).stringify(JSON.parse(json, escapeText)));
}

function escapeText(_key: string, value: unknown): unknown {
  return typeof value === "string" ? escapeControls(value) : value;
}

/** Characters that control a terminal, except line breaks and tabs, which YAML quotes. */
function escapeControls(text: string): string {
  return text.replaceAll(/(?![\n\t])(?:\p{Cc}|\p{Cf}|[\u2028\u2029])/gu, escapeCharacter);
}

/** Maximum depth of objects: more would exhaust the stack. */
const maxDepth = 500;

/**
 * JSON of any value. Characters that act on a terminal are escaped as `\uXXXX`; values that JSON cannot
 * hold become text: a big integer its digits, an object inside itself `[cycle]`.
 */
export function printableJson(value: unknown): string {
  const above: object[] = [];
  const printable = function (this: unknown, _key: string, each: unknown): unknown {
    if (typeof each === "bigint") return String(each);
    if (typeof each !== "object" || each === null) return each;
    // `this` contains `each`: objects after it on the path are not above.
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(each)) return "[cycle]";
    if (above.length === maxDepth) return "[too deep]";
    above.push(each);
    return each;
  };
  return (JSON.stringify(value, printable, 2) ?? "null").replaceAll(
    /(?!\n)(?:\p{Cc}|\p{Cf}|[\u2028\u2029])/gu,
    escapeCharacter,
  );
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, at) => escaped(character, at)).join("");
}

function escaped(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
}
