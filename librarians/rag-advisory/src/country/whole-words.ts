/** A pattern for any of some names, letter for letter and as whole words. */
export function wholeWords(names: readonly string[], flags: string): RegExp {
  const literal = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\d])(?:${literal})(?![\\p{L}\\d])`, flags);
}
