import {
  type Analyzer,
  type QuotableBlock,
  quotableBlocks,
  type Section,
} from "@constellation/retrieval";
import type { QueryWeights } from "./query-weights.js";

/** A block of a section, with its terms as the analyzer reads them. */
export interface Block extends QuotableBlock {
  readonly terms: ReadonlySet<string>;
}

/** Blocks that are quoted together or not at all. */
interface Group {
  readonly blocks: readonly Block[];
  readonly length: number;
  /** Whether it warns: it is quoted whatever else is left out. */
  readonly isWarning: boolean;
}

/** Alerts that a reader must not miss. */
const warnings = new Set([
  "warning",
  "caution",
  "danger",
  "important",
  "attention",
  "alert",
  "warn",
]);
/** What stands where text of the section is left out. */
export const ellipsis = "...";
/** Minimum share of a section's heading that a query must have to be about it. */
const aboutShare = 0.5;
/** Words with which a sentence refers to the one before it. */
const anaphor =
  /^(?:[*_]{1,2})?(?:this|that|it|its|they|these|those|such|the (?:latter|former|above|same)|both|then|otherwise|however|therefore|also|instead|dies|diese[rsmn]?|es|sie|esto|esta|este|estos|estas|ello|cela|ceci|ils?|elles?|ce(?:tte|s)?)\b/i;

/** Splits a section into the blocks it is written in. */
export function readBlocks(section: Section, analyzer: Analyzer): readonly Block[] {
  return quotableBlocks(section).map((block) => ({
    ...block,
    terms: new Set(analyzer.terms(block.text).map((term) => term.text)),
  }));
}

/** Room of a quotation, in characters. */
export interface Room {
  /** What it may take; 200 or more. */
  readonly room: number;
  /** What a list of steps may take that does not fit `room`. */
  readonly maxRoom: number;
  /** Whether the best of the section is cut where it does not fit whole. */
  readonly mayCut: boolean;
}

/**
 * Quotes a section: whole where there is room, else its warnings and those of its blocks that bear most on the query.
 * A block stays with the one that announces it or that it refers to; a list is never cut while it fits. {@link ellipsis}
 * stands where something is left out.
 *
 * @returns In the order of the page; nothing is added but ellipses and the fence that closes code which is cut. `undefined`
 *   when the best of the section does not fit, and must not be cut.
 */
export function quote(
  section: Section,
  blocks: readonly Block[],
  weights: QueryWeights,
  { room, maxRoom, mayCut }: Room,
): string | undefined {
  if (measure(blocks) <= room) return blocks.map(({ text }) => text).join("\n\n");
  const groups = groupBlocks(blocks);
  const ranked = rank(groups, weights);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const isProcedure = best.blocks.some(({ isNumbered }) => isNumbered);
  const needed = isProcedure ? best.length + 4 * (ellipsis.length + 2) : 0;
  const limit = Math.max(room, Math.min(maxRoom, needed)) - 3 * (ellipsis.length + 2);

  const texts = new Map<Block, string>();
  let length = 0;
  const take = (group: Group): void => {
    const isTaken = group.blocks.some((block) => texts.has(block));
    if (isTaken || length + group.length > limit) return;
    for (const block of group.blocks) texts.set(block, block.text);
    length += group.length;
  };
  for (const group of groups) if (group.isWarning) take(group);
  take(best);
  const [first] = best.blocks;
  if (first !== undefined && !texts.has(first)) {
    if (!mayCut) return undefined;
    texts.set(first, cutGroup(best.blocks, limit - length));
    return print(blocks, texts);
  }
  // What a section is about begins at its beginning.
  if (isAbout(section, weights)) for (const group of groups) take(group);
  for (const group of ranked) take(group);
  return print(blocks, texts);
}

/** Whether a query has a good part of the section's heading. */
function isAbout({ heading }: Section, weights: QueryWeights): boolean {
  const terms = weights.read(heading);
  const asked = terms.filter((term) => weights.share([term]) > 0).length;
  return terms.length > 0 && asked / terms.length >= aboutShare;
}

/** Joins blocks that say nothing alone: what is announced with its announcement, code with its lead-in, a sentence with the one that it refers to. */
function groupBlocks(blocks: readonly Block[]): readonly Group[] {
  const groups: Block[][] = [];
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1];
    if (before !== undefined && belongsTogether(before, block)) groups.at(-1)?.push(block);
    else groups.push([block]);
  }
  return groups.map((group) => ({
    blocks: group,
    length: measure(group),
    isWarning: group.some(({ alert = "" }) => warnings.has(alert)),
  }));
}

function belongsTogether(before: Block, block: Block): boolean {
  if (/(?::[*_`]{0,5}|^\*\*[^*\n]{1,200}\*\*)$/.test(before.text.slice(-210))) return true;
  if (block.kind === "code") return before.kind === "paragraph";
  if (block.kind === "paragraph") return anaphor.test(block.text);
  // A list that continues after code or a note.
  return block.isNumbered && !/^[01][.)]/.test(block.text);
}

/** Orders groups by the query words that each adds to those before it; the earlier one wins a tie. */
function rank(groups: readonly Group[], weights: QueryWeights): readonly Group[] {
  const left = new Set(groups);
  const covered = new Set<string>();
  const ranked: Group[] = [];
  while (ranked.length < 12 && left.size > 0) {
    let best: { group: Group; worth: number } | undefined;
    for (const group of left) {
      const terms = group.blocks.flatMap((block) => [...block.terms]);
      const all = weights.share(terms);
      const worth = 0.4 * all + weights.share(terms.filter((term) => !covered.has(term)));
      if (best === undefined || worth > best.worth) best = { group, worth };
    }
    if (best === undefined || (best.worth === 0 && ranked.length > 0)) break;
    left.delete(best.group);
    ranked.push(best.group);
    for (const block of best.group.blocks) for (const term of block.terms) covered.add(term);
  }
  return ranked;
}

function measure(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length + 2, 0);
}

function print(blocks: readonly Block[], texts: ReadonlyMap<Block, string>): string {
  const pieces: string[] = [];
  for (const block of blocks) {
    const text = texts.get(block);
    if (text !== undefined) pieces.push(text);
    else if (pieces.at(-1) !== ellipsis) pieces.push(ellipsis);
  }
  return pieces.join("\n\n");
}

/** Cuts what does not fit at the end of an item, of a row, of a line or of a word; {@link ellipsis} follows. */
function cutGroup(blocks: readonly Block[], room: number): string {
  let text = "";
  const end = `\n\n${ellipsis}`;
  for (const { parts, kind } of blocks) {
    const separator =
      kind === "list" && parts.some((part) => part.includes("\n\n")) ? "\n\n" : "\n";
    for (const [at, part] of parts.entries()) {
      const joint = text === "" ? "" : at === 0 ? "\n\n" : separator;
      if (text.length + joint.length + part.length <= room) text += joint + part;
      else return (text === "" ? truncateMarkdown(part, room) : text) + end;
    }
  }
  return text;
}

/** Truncates at the end of a line, else of a word, and closes a truncated block of code. */
function truncateMarkdown(text: string, room: number): string {
  const kept = text.slice(0, Math.max(0, room - 80)); // the longest fence that is closed has 70 characters
  const lineEnd = kept.lastIndexOf("\n");
  const wordEnd = kept.lastIndexOf(" ");
  const end = lineEnd > room / 3 ? lineEnd : wordEnd > 0 ? wordEnd : kept.length;
  const whole = kept.slice(0, end);
  const fence = openFence(whole);
  return fence === undefined ? whole : `${whole}\n${fence}`;
}

/** The fence, with its indentation, of a code block that is still open. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, fence = "", info] of text.matchAll(/^([ \t]{0,10}(?:`{3,60}|~{3,60}))(.*)$/gm)) {
    if (open === undefined) open = fence;
    else if (info?.trim() === "" && fence.trim().startsWith(open.trim())) open = undefined;
  }
  return open;
}
