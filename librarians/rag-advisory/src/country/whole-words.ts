/** A pattern for any of some names, letter for letter and as whole words. */
export function wholeWords(names: readonly string[], flags: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\d])(?:${names.map(literal).join("|")})(?![\\p{L}\\d])`, flags);
}

/** A text as a pattern that matches it letter for letter. */
export function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
