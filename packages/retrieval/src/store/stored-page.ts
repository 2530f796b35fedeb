import type { Block, Link, MarkdownPage, Section } from "../markdown/page.js";
import { joinText } from "../markdown/sections.js";

/** A stored page, read when first needed. */
export interface StoredPage {
  readonly file: string;
  /** The page as it is stored. */
  readonly json: Uint8Array;
  read(): MarkdownPage;
}

/** Writes a page as it is stored. */
export function toStoredPage(page: MarkdownPage): StoredPage {
  return storedPage(page.file, Buffer.from(JSON.stringify(packPage(page))));
}

/** A page of these bytes. */
export function storedPage(file: string, json: Uint8Array): StoredPage {
  return { file, json, read: () => unpackPage(JSON.parse(decoder.decode(json)) as PackedPage) };
}

const decoder = new TextDecoder();

/** A page without derivable parts. */
interface PackedPage extends Omit<MarkdownPage, "sections"> {
  readonly sections: readonly PackedSection[];
}

interface PackedSection extends Omit<Section, "file" | "text" | "blocks" | "links"> {
  readonly blocks: readonly PackedBlock[];
  readonly links?: readonly Link[];
}

/** Text is left out where it is in the section's Markdown letter for letter: `[from, to]` then. */
type PackedBlock = Omit<Block, "text"> & {
  readonly text?: string;
  readonly span?: readonly [number, number];
};

/** Removes the parts that {@link unpackPage} derives. */
function packPage(page: MarkdownPage): PackedPage {
  return { ...page, sections: page.sections.map(packSection) };
}

/** Restores a page. */
function unpackPage(page: PackedPage): MarkdownPage {
  return { ...page, sections: page.sections.map((section) => unpackSection(section, page.file)) };
}

function packSection({ file: _, text: __, links, blocks, ...section }: Section): PackedSection {
  let from = 0;
  const packed = blocks.map(({ text, ...block }): PackedBlock => {
    const at = section.markdown.indexOf(text, from);
    if (at < 0) return { ...block, text };
    from = at + text.length;
    return { ...block, span: [at, from] };
  });
  return { ...section, blocks: packed, ...(links.length === 0 ? {} : { links }) };
}

function unpackSection({ blocks, links = [], ...section }: PackedSection, file: string): Section {
  const unpacked = blocks.map(({ text, span, ...block }): Block => {
    return { ...block, text: text ?? (span === undefined ? "" : section.markdown.slice(...span)) };
  });
  return { file, ...section, text: joinText(unpacked), blocks: unpacked, links };
}
