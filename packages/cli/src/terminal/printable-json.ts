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
    (character) =>
      Array.from({ length: character.length }, (_, at) => escaped(character, at)).join(""),
  );
}

function escaped(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
}
