/** Ends of words after which a full stop ends no sentence. */
const abbreviation =
  /(?:^|[\s(])(?:sq|ft|rs|no|nos|approx|avg|est|st|rd|ave|vs|mr|mrs|ms|dr|e\.g|i\.e|etc|inc|ltd|co|dept|fig|u\.s|u\.k|[a-z])\.$/i;

/** Cuts text into sentences, blanks at their ends taken off. Lines are cut too. */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of text.split(/\n+/)) {
    let current = "";
    for (const piece of line.split(/(?<=[.!?]["')\]]?)\s+(?=[\p{Lu}\p{Sc}\d"'([])/u)) {
      current = current === "" ? piece : `${current} ${piece}`;
      if (abbreviation.test(current)) continue;
      sentences.push(current.trim());
      current = "";
    }
    sentences.push(current.trim());
  }
  return sentences.filter((sentence) => sentence !== "");
}
