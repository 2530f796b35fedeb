import type { PagePart } from "./blocks.js";
import type { Block, Link, Section } from "./page.js";
import { createSlugger } from "./slug.js";

/**
 * Groups the parts of a page under their headings.
 *
 * @param firstLine - The first one that is written on, below the front matter.
 */
export function splitSections(
  file: string,
  title: string,
  lines: readonly string[],
  parts: readonly PagePart[],
  hasFrontMatter: boolean,
  firstLine: number,
): readonly Section[] {
  const slugger = createSlugger();
  const above: { readonly level: number; readonly heading: string }[] = [];
  const sections: Section[] = [];
  let current: OpenSection | undefined;
  let waiting: string[] = [];
  const isTitled = parts.some(
    (part) => part.type === "heading" && splitAnchor(part.text).heading === title,
  );
  // A page named by its front matter alone is a section too, so that it can be found and cited.
  if (!isTitled && hasFrontMatter) current = preamble(title, 1);

  const close = (nextLine: number): void => {
    if (current === undefined) return;
    sections.push(closed(file, current, lines, nextLine));
    current = undefined;
  };

  for (const part of parts) {
    if (part.type === "heading") {
      close(part.startLine);
      const { heading, id } = splitAnchor(part.text);
      const slug = slugger(heading);
      while ((above.at(-1)?.level ?? 0) >= part.level) above.pop();
      const named = [id, slug, ...waiting, ...part.anchors].filter((name) => name !== undefined);
      current = {
        heading,
        headingPath: [...above.map((each) => each.heading), heading],
        anchors: [...new Set(named)].filter((name) => name !== ""),
        level: part.level,
        startLine: part.startLine,
        blocks: [],
        links: [],
      };
      above.push({ level: part.level, heading });
      waiting = [];
      continue;
    }
    const { block } = part;
    if (block === undefined) {
      // Anchors alone: of the heading that follows, else of the section they are in.
      waiting.push(...part.anchors);
      continue;
    }
    current ??= preamble(title, Math.min(firstLine, block.startLine));
    current.anchors.push(...waiting, ...part.anchors);
    waiting = [];
    current.blocks.push(block);
    current.links.push(...part.links);
  }
  current?.anchors.push(...waiting);
  close(lines.length + 1);
  return sections;
}

/** Attributes behind a heading: `{#id .wide}`, `{: #id}`, `{.wide}`; or the id of Nextra, `[#id]`. */
const attributes = /^\{:?\s{0,5}([.#][^{}]{0,500})\}$|^\[(#[\w.:-]{1,200})\]$/;

/** Removes attributes from the end of a heading, one of which may be its id. */
export function splitAnchor(text: string): { readonly heading: string; readonly id?: string } {
  const begin = text.endsWith("}") ? "{" : text.endsWith("]") ? "[" : undefined;
  const open = begin === undefined ? -1 : text.lastIndexOf(begin);
  const [, inBraces, inBrackets = inBraces] =
    (open < 0 ? undefined : attributes.exec(text.slice(open))) ?? [];
  if (inBrackets === undefined) return { heading: text };
  const id = /(?:^|\s)#([\w.:-]{1,200})/.exec(inBrackets)?.[1];
  const heading = text.slice(0, open).trim();
  return id === undefined ? { heading } : { heading, id };
}

interface OpenSection {
  readonly heading: string;
  readonly headingPath: readonly string[];
  readonly anchors: string[];
  readonly level: number;
  readonly startLine: number;
  readonly blocks: Block[];
  readonly links: Link[];
}

function preamble(title: string, startLine: number): OpenSection {
  return {
    heading: title,
    headingPath: [title],
    anchors: [],
    level: 0,
    startLine,
    blocks: [],
    links: [],
  };
}

function closed(
  file: string,
  open: OpenSection,
  lines: readonly string[],
  nextLine: number,
): Section {
  const { heading, headingPath, anchors, level, startLine, blocks, links } = open;
  let endLine = nextLine - 1;
  while (endLine > startLine && (lines[endLine - 1] ?? "").trim() === "") endLine--;
  return {
    file,
    heading,
    headingPath,
    anchor: level === 0 ? "" : (anchors[0] ?? ""),
    anchors: [...new Set(anchors)],
    level,
    startLine,
    endLine,
    text: joinText(blocks),
    markdown: lines.slice(startLine - 1, endLine).join("\n"),
    blocks,
    links,
  };
}

/** The prose and tables among the blocks. */
export function joinText(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.kind === "code" ? [] : [block.text])).join("\n");
}
