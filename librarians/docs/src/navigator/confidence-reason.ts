const minCharacters = 10;
const minWords = 3;

/** Words that do not describe the sources; a reason of these alone is empty. */
const empty: ReadonlySet<string> = new Set(
  `a absolutely accurate all am an and answer because believe but can certain confidence confident
  correct definitely fairly feel feels fine for give gives good guess guessing have high i im in is
  it its just know level like looks low me medium my ok okay one opinion probably pretty quite
  really reasonable right say seems so sound sounds sure that the think this to true trust very
  well with would yes you`.split(/\s+/),
);

/**
 * Describes why a reason for a confidence explains nothing; `undefined` when it explains something.
 */
export function reasonProblem(reason: string): string | undefined {
  const trimmed = reason.trim();
  if (trimmed.length < minCharacters) return `has under ${minCharacters} characters`;
  const words =
    trimmed
      .toLowerCase()
      .replaceAll(/['’]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  // Text without blanks between words, such as Japanese, is counted by its characters.
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(trimmed)) return undefined;
  if (new Set(words).size < minWords) return `has under ${minWords} different words`;
  if (words.every((word) => empty.has(word))) return "says nothing about the sources";
  return undefined;
}
