/** Words that end in a full stop in the middle of a sentence. */
const abbreviation = /(?:^|[\s("'`])(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|sec|resp|al|mr|ms|dr)\.$/i;

/** Most characters of a paragraph that are cut into sentences; a longer one is one piece. */
const longest = 20_000;

/** Cuts a paragraph of Markdown into its sentences, each as it stands there. Code is not cut. */
export function sentencesOf(paragraph: string): readonly string[] {
  if (paragraph.length > longest) return [paragraph];
  const sentences: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(/[.!?][)"'”’*_\]]{0,3}(?=\s)/g)) {
    const end = match.index + match[0].length;
    const before = paragraph.slice(from, end);
    const next = paragraph.slice(end).trimStart();
    if (!/^[\p{Lu}\p{N}"'“‘`*_[(>~-]/u.test(next)) continue;
    if (abbreviation.test(paragraph.slice(from, match.index + 1)) || isOpen(before)) continue;
    sentences.push(before.trim());
    from = end;
  }
  sentences.push(paragraph.slice(from).trim());
  return sentences.filter((sentence) => sentence !== "");
}

/** Whether code, a link's text or a bracket has begun and not ended. */
function isOpen(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return (
    count("`") % 2 === 1 ||
    count("**") % 2 === 1 ||
    count("[") > count("]") ||
    count("(") > count(")")
  );
}
