import {
  type Analyzer,
  type Block,
  quotableMarkdown,
  type Section,
} from "@constellation/retrieval";
import { sentencesOf } from "./sentences.js";

/** The least that is quoted: a sentence, a list item or quotation, a row of a table under its head, a block of code. */
export interface Unit {
  readonly kind: "sentence" | "item" | "row" | "code";
  /** As it is in the page, its indentation aside. */
  readonly text: string;
  /** Which block of the section it is from; units of one paragraph share it. */
  readonly block: number;
  /** What the analyzer reads in it. */
  readonly terms: ReadonlySet<string>;
}

/** Most blocks of one section that are looked at. */
const mostBlocks = 400;

/** Cuts a section into what can be quoted, in order. Raw HTML, pictures and links within the pages are left out. */
export function unitsOf(section: Section, analyzer: Analyzer): readonly Unit[] {
  const lines = section.markdown.split("\n");
  const raw = ({ startLine, endLine }: Pick<Block, "startLine" | "endLine">) =>
    dedent(lines.slice(startLine - section.startLine, endLine - section.startLine + 1));
  const units: Unit[] = [];
  const add = (kind: Unit["kind"], text: string, block: number, shown = text) => {
    if (text === "") return;
    const terms = new Set(analyzer.terms(shown).map((term) => term.text));
    units.push({ kind, text, block, terms });
  };

  let head = "";
  for (const [at, block] of section.blocks.slice(0, mostBlocks).entries()) {
    const text = raw(block);
    if (block.kind === "code") add("code", text, at);
    else if (block.kind === "list-item") add("item", quotedItem(text), at);
    else if (block.kind === "quote") add("item", quotedQuote(text), at);
    else if (block.kind === "table-row") {
      if (block.header === true)
        head = quotableMarkdown(raw({ ...block, endLine: block.endLine + 1 }));
      else add("row", `${head}\n${quotableMarkdown(text)}`, at, block.text);
    } else if (block.kind !== "html") {
      for (const sentence of sentencesOf(quotableMarkdown(text).trim()))
        add("sentence", sentence, at);
    }
  }
  return units;
}

/** Takes away the blanks that all lines begin with, and blank lines around. */
function dedent(lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== "");
  const indents = filled.map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const isFenced = /^\s*(?:`{3,}|~{3,})/.test(filled[0] ?? "");
  const least = Math.min(...indents);
  // Code by indentation keeps four blanks: without them it would be prose.
  const cut = filled.length === 0 ? 0 : isFenced || least < 4 ? least : least - 4;
  const dedented = lines.map((line) => line.slice(Math.min(cut, line.length)).trimEnd());
  const first = dedented.findIndex((line) => line !== "");
  const last = dedented.findLastIndex((line) => line !== "");
  return first < 0 ? "" : dedented.slice(first, last + 1).join("\n");
}

/** A list item with its mark: what is behind the mark is cleaned. */
function quotedItem(text: string): string {
  const mark =
    /^[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]{1,10}(?:\[[ xX]\][ \t]{1,10})?/.exec(text)?.[0] ?? "";
  const content = quotableMarkdown(text.slice(mark.length)).trim();
  return content === "" ? "" : `${mark}${content}`;
}

/** A quotation; the mark of a GitHub alert becomes a word that a reader understands. */
function quotedQuote(text: string): string {
  const lines = text.split("\n").map((line) => line.trimStart().replace(/^(?:>[ \t]?){1,20}/, ""));
  const alert = /^\[!(\w{1,20})\]\s*/.exec(lines[0] ?? "");
  if (alert !== null) lines[0] = (lines[0] ?? "").slice(alert[0].length);
  const content = quotableMarkdown(lines.filter((line) => line !== "").join("\n")).trim();
  if (content === "") return "";
  const label = alert?.[1]?.toLowerCase() ?? "";
  const begin = label === "" ? "" : `**${label[0]?.toUpperCase()}${label.slice(1)}:** `;
  return `${begin}${content}`
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
