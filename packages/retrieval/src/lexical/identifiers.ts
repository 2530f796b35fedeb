/**
 * The words inside an identifier: `forceCloseConnections`, `honor_labels`, `web.enable-lifecycle`.
 *
 * @returns In order, lower case; for a plain word only itself.
 */
export function splitIdentifier(identifier: string): readonly string[] {
  return (identifier.match(pieces) ?? []).map((piece) => piece.toLowerCase());
}

/** A run of capitals ends before the next word: `HTTPServer` is HTTP and Server. */
const pieces = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}]+/gu;

/** Whether a word is an identifier: compound, in camel case, or letters with digits. */
export function isIdentifier(chunk: string): boolean {
  return /[_\-.,]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}|\p{L}\p{N}|\p{N}\p{L}/u.test(chunk);
}

/** Normalises `ConfigMap`, `config-map` and `config_map` to one spelling. */
export function joinIdentifierParts(identifier: string): string {
  return identifier.replace(/[_\-.,]/g, "").toLowerCase();
}

/** `2.26.0` or `v2.26`: the number without the `v`, else undefined. */
export function readVersion(chunk: string): string | undefined {
  return /^v?(\d+(?:\.\d+)+(?:-[a-z]+[.\d]*)?)$/i.exec(chunk)?.[1];
}
