/** Ends of words after which a full stop ends no sentence. */
const abbreviation =
  /(?:^|[\s(])(?:sq|ft|rs|no|nos|approx|avg|est|st|rd|ave|vs|mr|mrs|ms|dr|e\.g|i\.e|etc|inc|ltd|co|dept|fig|u\.s|u\.k|[a-z])\.$/i;

/** Characters of the longest abbreviation, with its full stop and the mark before it. */
const maxAbbreviation = 8;

/** Cuts text into sentences, blanks at their ends taken off. Lines are cut too. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of text.split(/\n+/)) {
    let pieces: string[] = [];
    for (const piece of line.split(/(?<=[.!?]["')\]]?)\s+(?=[\p{Lu}\p{Sc}\d"'([])/u)) {
      pieces.push(piece);
      // What came before the piece ends in a blank, and the longest abbreviation is short.
      if (abbreviation.test(piece.slice(-maxAbbreviation))) continue;
      sentences.push(pieces.join(" ").trim());
      pieces = [];
    }
    sentences.push(pieces.join(" ").trim());
  }
  return sentences.filter((sentence) => sentence !== "");
}
