const leastCharacters = 10;
const leastWords = 3;

/** Words that a reason can consist of without saying anything about the sources. */
const empty: ReadonlySet<string> = new Set(
  `a absolutely accurate all am an and answer because believe but can certain confidence confident
  correct definitely fairly feel feels fine for give gives good guess guessing have high i im in is
  it its just know level like looks low me medium my ok okay one opinion probably pretty quite
  really reasonable right say seems so sound sounds sure that the think this to true trust very
  well with would yes you`.split(/\s+/),
);

/** Says why a reason for a confidence explains nothing; undefined for one that does. */
export function reasonProblem(reason: string): string | undefined {
  const trimmed = reason.trim();
  if (trimmed.length < leastCharacters) return `has under ${leastCharacters} characters`;
  const words =
    trimmed
      .toLowerCase()
      .replaceAll(/['’]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  // Text without blanks between words, such as Japanese, is counted by its characters.
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(trimmed)) return undefined;
  if (new Set(words).size < leastWords) return `has under ${leastWords} different words`;
  if (words.every((word) => empty.has(word))) return "says nothing about the sources";
  return undefined;
}
