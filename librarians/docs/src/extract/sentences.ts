/** Words that end in a full stop in the middle of a sentence. */
const abbreviation = /(?:^|[\s("'`])(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|sec|resp|al|mr|ms|dr)\.$/i;
/** Maximum number of characters of an abbreviation with the text before it. */
const maxAbbreviation = 10;

/** Maximum length of a paragraph that is split, in characters; a longer one stays whole. */
const maxLength = 20_000;

/** Splits a paragraph of Markdown into its sentences, unchanged. Code is not split. */
export function splitSentences(paragraph: string): readonly string[] {
  if (paragraph.length > maxLength) return [paragraph];
  const sentences: string[] = [];
  const marks = createMarks();
  let from = 0;
  let read = 0;
  for (const match of paragraph.matchAll(/[.!?][)"'”’*_\]]{0,3}(?=\s)/g)) {
    const end = match.index + match[0].length;
    marks.read(paragraph, read, end);
    read = end;
    const next = paragraph.slice(end).trimStart();
    if (!/^[\p{Lu}\p{N}"'“‘`*_[(>~-]/u.test(next)) continue;
    const stop = match.index + 1;
    const last = paragraph.slice(Math.max(from, stop - maxAbbreviation), stop);
    if (abbreviation.test(last) || marks.isOpen()) continue;
    sentences.push(paragraph.slice(from, end).trim());
    marks.reset();
    from = end;
  }
  sentences.push(paragraph.slice(from).trim());
  return sentences.filter((sentence) => sentence !== "");
}

/** Tracks open Markdown marks of a text that is read piece by piece, each character once. */
function createMarks() {
  let ticks = 0;
  let stars = 0;
  let square = 0;
  let round = 0;
  return {
    read(text: string, from: number, to: number): void {
      for (let at = from; at < to; at++) {
        const character = text[at];
        if (character === "`") ticks++;
        else if (character === "[") square++;
        else if (character === "]") square--;
        else if (character === "(") round++;
        else if (character === ")") round--;
        else if (character === "*" && text[at + 1] === "*" && at + 1 < to) {
          stars++;
          at++;
        }
      }
    },
    /** Whether code, bold text, a link's text or a bracket is still open. */
    isOpen: () => ticks % 2 === 1 || stars % 2 === 1 || square > 0 || round > 0,
    reset() {
      ticks = 0;
      stars = 0;
      square = 0;
      round = 0;
    },
  };
}
