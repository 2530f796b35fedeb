import type { Analyzer, Block, Section } from "@constellation/retrieval";
import { sentencesOf } from "./sentences.js";

/** The least that is quoted: a sentence, a list item or quotation, a row of a table under its head, a block of code. */
export interface Unit {
  readonly kind: "sentence" | "item" | "row" | "code";
  /** As it stands in the page, its indentation aside. */
  readonly text: string;
  /** Which block of the section it is from; units of one paragraph share it. */
  readonly block: number;
  /** What the analyzer reads in it. */
  readonly terms: ReadonlySet<string>;
}

/** Most blocks of one section that are looked at. */
const mostBlocks = 400;

/** Cuts a section into what can be quoted, in order. Raw HTML and pictures are left out. */
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
    else if (hasHtml(text)) continue;
    // The marks of a quote stand at its lines: cut into sentences they would be in the middle.
    else if (block.kind === "list-item" || block.kind === "quote") add("item", text, at);
    else if (block.kind === "table-row") {
      if (block.header === true) head = raw({ ...block, endLine: block.endLine + 1 });
      else add("row", `${head}\n${text}`, at, block.text);
    } else if (block.kind !== "html") {
      for (const sentence of sentencesOf(text)) add("sentence", sentence, at);
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
  return lines
    .map((line) => line.slice(Math.min(cut, line.length)).trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}

/** Whether prose has raw HTML or a picture: neither is for an answer. */
export function hasHtml(text: string): boolean {
  const prose = text
    .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "")
    .replace(/<(?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/gi, "");
  return /(?<!\\)<[a-z/!?]/i.test(prose) || /!\[[^\]]*\]\(/.test(prose);
}
