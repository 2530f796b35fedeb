import { stemmer } from "stemmer";

/**
 * Words of a text in the form they are compared in, in order: lower case, stemmed (Porter), without
 * those that say nothing about a subject. A name in camel case stands whole and in parts:
 * `OOMKilled` gives `oomkil`, `oom` and `kill`.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [token] of text
    .replaceAll(/['’](?:s\b)?/g, "")
    .matchAll(/[\p{L}\p{N}]+(?:\+\+|#)?/gu)) {
    const parts = token
      .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
      .split(" ");
    for (const word of parts.length > 1 ? [token, ...parts] : parts) {
      const lower = word.toLowerCase();
      if (!stopWords.has(lower)) words.push(stem(lower));
    }
  }
  return words;
}

/** Short words and those with digits are names more often than inflections: `dns`, `v2`. */
function stem(word: string): string {
  return word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

const stopWords: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being but by can
  cannot cant could did do does doing dont each for from get gets getting give got had has have
  having he her here him his how i if in into is isnt it its just keep keeps know let like make
  many may me mean means might more most much must my need no nor not now of off on only or other our please
  she should show since so some such tell than that the their them then there these they this those
  to too us very want was we went were what whats when where which while who whom whose why will
  with without would you your`.split(/\s+/),
);
