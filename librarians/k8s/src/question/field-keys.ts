import { fieldData } from "../fields/table.js";

/**
 * Fields of the Kubernetes API that people ask for by their own names: `restartPolicy` is "restart policy". What
 * ends in a unit, a count or `Name` is asked for without it.
 */
const keys = fieldData.apiFields.split(" ");

const words = keys.map((key) => ({ key, said: toSpokenKey(key) }));

/** `restartPolicy` in words: `restart policy`. */
function toSpokenKey(key: string): string {
  const split = key.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  const short = split.replace(/ (?:seconds|name|ref)$/, "");
  // One word alone is a kind as often as a field.
  return short.includes(" ") ? short : split;
}

/** "Min and max replicas" are two fields. */
const joinedKeys = / ([a-z]+) (?:and|or) ([a-z]+) ([a-z]+)(?= )/g;

/** The words of keys as people say them. */
export function spokenKeys(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => [key.toLowerCase(), ...toSpokenKey(key).split(" ")]);
}

/** Fields that a question names, as they are in a manifest or in words of their own. The longest stand. */
export function keysIn(query: string): readonly string[] {
  const text = ` ${query.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `.replace(
    joinedKeys,
    " $1 $3 $2 $3",
  );
  const found = words.filter(
    ({ key, said }) =>
      text.includes(` ${said} `) ||
      text.includes(` ${said}s `) ||
      text.includes(` ${key.toLowerCase()} `),
  );
  return found
    .filter(({ said }) => !found.some((other) => other.said !== said && other.said.includes(said)))
    .map(({ key }) => key);
}
