import { type ContentWord, likenessOf, readContentWords } from "./near-words.js";

/** How much of what is asked texts have, each from 0 to 1, by the weight of its words. */
export interface Cover {
  /** What the best single text has. */
  readonly best: number;
  /** What all texts have together. */
  readonly together: number;
  /** Number of texts that have `matchingShare` of the very words. */
  readonly matches: number;
}

/** Texts that are compared with questions by their words. */
export interface WordCover {
  /**
   * Compares a question with the texts.
   *
   * @param question - Words of the question: see `readContentWords`.
   * @param isOpen - Whether a text may be compared, by its place; others have no influence. Default: all.
   */
  cover(question: readonly ContentWord[], isOpen?: (place: number) => boolean): Cover;
  /** How far any of the texts has a word, from 0 to 1. */
  likenessOf(word: ContentWord): number;
}

/** Share of a question's words from which on a text matches. */
const matchingShare = 0.3;
/** Number of words of questions whose like words are kept. */
const maxKept = 256;

interface Entry {
  readonly word: ContentWord;
  /** Places of the texts that have it. */
  readonly places: number[];
}

/**
 * Reads texts once, so that questions can be compared with them: a word counts as far as a text has it, a form of it, or
 * one that is near in meaning.
 *
 * @param about - Words that belong to every text.
 */
export function createWordCover(texts: readonly string[], about = ""): WordCover {
  const entries = new Map<string | number, Entry>();
  for (const [place, text] of texts.entries()) {
    for (const word of readContentWords(text, { withParts: true })) {
      const key = word.rank ?? word.lower;
      const entry = entries.get(key) ?? { word, places: [] };
      entry.places.push(place);
      entries.set(key, entry);
    }
  }
  const aboutWords = readContentWords(about, { withParts: true });
  const inAbout = (word: ContentWord) =>
    Math.max(0, ...aboutWords.map((one) => likenessOf(word, one)));
  const all = [...entries.values()];
  const alike = new Map<string | number, readonly { entry: Entry; likeness: number }[]>();
  const findAlike = (word: ContentWord) => {
    const key = word.rank ?? word.lower;
    const known = alike.get(key);
    if (known !== undefined) return known;
    const found = all
      .map((entry) => ({ entry, likeness: likenessOf(word, entry.word) }))
      .filter(({ likeness }) => likeness > 0);
    if (alike.size >= maxKept) alike.clear();
    alike.set(key, found);
    return found;
  };

  return {
    likenessOf: (word) =>
      Math.max(inAbout(word), ...findAlike(word).map(({ likeness }) => likeness)),
    cover(question, isOpen = () => true) {
      const sums = new Map<number, number>();
      const exact = new Map<number, number>();
      let total = 0;
      let shared = 0;
      let together = 0;
      for (const word of question) {
        const { weight } = word;
        total += weight;
        const always = inAbout(word);
        const own = new Map<number, number>();
        let highest = always;
        for (const { entry, likeness } of findAlike(word)) {
          for (const place of entry.places) {
            if (likeness <= (own.get(place) ?? always) || !isOpen(place)) continue;
            own.set(place, likeness);
            highest = Math.max(highest, likeness);
          }
        }
        shared += weight * always;
        together += weight * highest;
        for (const [place, likeness] of own) {
          sums.set(place, (sums.get(place) ?? 0) + weight * (likeness - always));
          if (likeness === 1) exact.set(place, (exact.get(place) ?? 0) + weight);
        }
      }
      if (total === 0) return { best: 0, together: 0, matches: 0 };
      let best = 0;
      for (const sum of sums.values()) best = Math.max(best, sum);
      let matches = 0;
      for (const sum of exact.values()) if (sum >= matchingShare * total) matches++;
      return { best: (shared + best) / total, together: together / total, matches };
    },
  };
}
