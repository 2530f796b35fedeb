/** `nodePort` is "node" and "port", `podCIDR` "pod" and "cidr". */
export function splitWords(word: string): readonly string[] {
  return word
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[\s._/-]/)
    .filter((part) => part !== "");
}

/** A word without the ending of a plural. */
export function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
