import { firstLine } from "@constellation/authoring";
import type { KnowledgeBase, Section, SectionHit } from "@constellation/retrieval";
import type { QueryWeights } from "./query-weights.js";
import { type Block, quote } from "./quote.js";

/** Maximum length of an answer, in characters. */
const maxAnswerLength = 4_000;
/** Sections up to this length are quoted whole where the answer has room, in characters. */
const maxQuoteLength = 2_500;
/** Characters that are kept for each further section. */
const minQuoteLength = 500;

/** A section to quote. */
export interface Quotation {
  readonly hit: SectionHit;
  readonly blocks: readonly Block[];
  /** Whether it is quoted even where its best part has to be cut. */
  readonly isRequired: boolean;
}

/** An answer, and the sections it quotes. */
export interface Composition {
  readonly answer: string;
  readonly quoted: readonly SectionHit[];
}

/**
 * Quotes each section under its page's title, its heading and its file. The first one and those that are required are quoted in
 * any case, the others where what bears on the query fits whole.
 */
export function compose(
  quotations: readonly Quotation[],
  weights: QueryWeights,
  knowledgeBase: Pick<KnowledgeBase, "page">,
): Composition {
  let answer = "";
  const quoted: SectionHit[] = [];
  for (const [at, { hit, blocks, isRequired }] of quotations.entries()) {
    const { section } = hit;
    const title = formatTitle(section, knowledgeBase.page(section.file)?.title ?? "");
    const begin = `${answer === "" ? "" : `${answer}\n\n`}${title}\n\n`;
    const left = maxAnswerLength - begin.length;
    const maxRoom = left - (quotations.length - 1 - at) * minQuoteLength;
    const room = Math.min(maxQuoteLength, maxRoom);
    const mayCut = at === 0 || isRequired;
    if (room < minQuoteLength / 2 && !mayCut) continue;
    const text = quote(section, blocks, weights, { room, maxRoom, mayCut });
    if (text === undefined) continue;
    answer = begin + text;
    quoted.push(hit);
  }
  return { answer, quoted };
}

/**
 * The first quotation of an answer in one line: its title and file, and its first sentence where that is text. Of any other
 * answer the first line.
 */
export function toHeadline(answer: string): string {
  const [title = "", text = ""] = answer.split("\n").filter((line) => line.trim() !== "");
  const isTitle = title.startsWith("**") && title.endsWith(")");
  const isText = /^[\p{L}\p{N}]/u.test(text);
  return firstLine(isTitle && isText ? `${title}: ${text}` : title);
}

/** Formats the title of a quotation: `**Roll back a release › Check first** (`rollback.md`)`. */
function formatTitle({ file, heading, headingPath }: Section, title: string): string {
  const above = headingPath.at(-2);
  const first = title !== heading && title !== "" ? title : above === heading ? undefined : above;
  const path = [first, heading].filter((each) => each !== undefined && each !== "");
  const shown = path.map((each) => escapeMarkdown(each ?? "").slice(0, 200)).join(" › ");
  const code = file.includes("`") ? `(${escapeMarkdown(file)})` : `(\`${file}\`)`;
  return `**${shown}** ${code.length > 300 ? code.slice(-300) : code}`;
}

/** Escapes a text so that Markdown renders it literally. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*<[\]]/g, "\\$&");
}
