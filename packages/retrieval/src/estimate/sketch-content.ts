import { readContentWords } from "@constellation/nlu";

/** Maximum number of words of a sketch. */
const maxWords = 300;
/** Maximum number of texts that are read, and of characters of one of them. */
const maxTexts = 20_000;
const maxTextLength = 2_000;

/**
 * A sketch of what a librarian has, for its `vocabulary`: the rarest words of English in its texts, of equally rare ones those
 * that are in most texts. In a mesh of more than a hundred librarians they find whom to probe.
 *
 * The sketch shows words of the content to everyone who may list the librarian: make none of texts that only some may read.
 */
export function sketchContent(texts: Iterable<string>): readonly string[] {
  const words = new Map<string, { readonly weight: number; texts: number }>();
  let read = 0;
  for (const text of texts) {
    if (++read > maxTexts) break;
    for (const { lower, weight } of readContentWords(text.slice(0, maxTextLength))) {
      const word = words.get(lower) ?? { weight, texts: 0 };
      word.texts++;
      words.set(lower, word);
    }
  }
  return [...words]
    .sort(([, a], [, b]) => b.weight - a.weight || b.texts - a.texts)
    .slice(0, maxWords)
    .map(([lower]) => lower);
}
