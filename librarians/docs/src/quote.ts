import type { Section } from "./sections.js";
import { wordsOf } from "./words.js";

/** A piece that is quoted whole: a sentence, a list, a table or a code block. */
interface Piece {
  readonly text: string;
  /** Number of its block. */
  readonly block: number;
  /** Weight of the words it has. */
  readonly weight: number;
}

/**
 * Quotes what a section says to some words, as it stands there: from its beginning when its heading
 * has most of what the section has of them, else its best sentences, lists, tables and code blocks,
 * in order. Only line breaks inside a paragraph are lost; `…` stands where something was left out.
 *
 * @param weightOf - How much a word tells, 0 for one that nobody asked for.
 * @returns At most `maxLength` characters.
 */
export function quote(
  section: Section,
  weightOf: (word: string) => number,
  maxLength: number,
): string {
  const pieces = piecesOf(section, weightOf);
  const headingWeight = weigh(`${section.heading ?? ""} ${section.title}`, weightOf);
  const bodyWeight = weigh(section.blocks.map(({ text }) => text).join("\n"), weightOf);
  const order =
    headingWeight >= bodyWeight / 2
      ? [...pieces.keys()]
      : byWeight(pieces).flatMap(withNeighbour(pieces));
  return print(pieces, fit(pieces, order, maxLength), maxLength);
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

function piecesOf({ blocks }: Section, weightOf: (word: string) => number): readonly Piece[] {
  return blocks.flatMap(({ kind, text }, block) => {
    const isProse = kind === "text" && !text.startsWith(">");
    const texts = isProse
      ? Array.from(sentences.segment(text.replaceAll(/\s*\n\s*/g, " ")), ({ segment }) =>
          segment.trim(),
        )
      : [text];
    return texts.map((piece) => ({ text: piece, block, weight: weigh(piece, weightOf) }));
  });
}

function weigh(text: string, weightOf: (word: string) => number): number {
  let weight = 0;
  for (const word of new Set(wordsOf(text))) weight += weightOf(word);
  return weight;
}

/** Numbers of the pieces that weigh at least a third of the heaviest one, heaviest first. */
function byWeight(pieces: readonly Piece[]): readonly number[] {
  const heaviest = Math.max(...pieces.map(({ weight }) => weight));
  return [...pieces.entries()]
    .filter(([, { weight }]) => weight >= heaviest / 3)
    .sort(([, a], [, b]) => b.weight - a.weight)
    .map(([index]) => index);
}

/** A piece that ends with a colon belongs to the one after it. */
function withNeighbour(pieces: readonly Piece[]): (index: number) => readonly number[] {
  const leadsIn = (index: number) => pieces[index]?.text.endsWith(":") === true;
  return (index) => [
    ...(leadsIn(index - 1) ? [index - 1] : []),
    index,
    ...(leadsIn(index) ? [index + 1] : []),
  ];
}

/** Takes pieces in the order given for as long as they fit; the first one whatever its length. */
function fit(
  pieces: readonly Piece[],
  order: readonly number[],
  maxLength: number,
): readonly number[] {
  const taken = new Set<number>();
  let length = 0;
  for (const index of order) {
    const piece = pieces[index];
    if (piece === undefined || taken.has(index)) continue;
    length += piece.text.length + 4; // what joins it to its neighbours
    if (length > maxLength && taken.size > 0) break;
    taken.add(index);
  }
  return [...taken].sort((a, b) => a - b);
}

function print(pieces: readonly Piece[], taken: readonly number[], maxLength: number): string {
  let text = "";
  let previous: number | undefined;
  for (const index of taken) {
    const piece = pieces[index];
    if (piece === undefined) continue;
    if (previous !== undefined) {
      const isSameBlock = pieces[previous]?.block === piece.block;
      const hasGap = index !== previous + 1;
      text += isSameBlock ? (hasGap ? " … " : " ") : hasGap ? "\n\n…\n\n" : "\n\n";
    }
    text += piece.text;
    previous = index;
  }
  return text.length <= maxLength ? text : cut(text, maxLength);
}

/** Cuts at the end of a line where there is one, and closes a code block that was cut. */
function cut(text: string, maxLength: number): string {
  const room = text.slice(0, maxLength - 80); // the longest fence that is closed has 70 characters
  const lineEnd = room.lastIndexOf("\n");
  const kept = lineEnd > maxLength / 2 ? room.slice(0, lineEnd) : room;
  const fence = openFence(kept);
  return fence === undefined ? `${kept}\n…` : `${kept}\n…\n${fence}`;
}

/** The fence, with what stands before it, of a code block that has begun and not ended. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, fence = "", info] of text.matchAll(/^([ \t]{0,10}(?:`{3,60}|~{3,60}))(.*)$/gm)) {
    if (open === undefined) open = fence;
    else if (info?.trim() === "" && fence.trim().startsWith(open.trim())) open = undefined;
  }
  return open;
}
