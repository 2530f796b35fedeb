import type { LexicalDocument } from "../lexical/documents.js";
import type { Block, MarkdownPage, Section } from "../markdown/page.js";

/** Identity of a section in its knowledge base: `file#n`, where n counts the sections of the file from 0. */
export function sectionId(file: string, place: number): string {
  return `${file}#${place}`;
}

/** Makes of each section of a page a document whose parent is the file. */
export function sectionDocuments(page: MarkdownPage): readonly LexicalDocument[] {
  return page.sections.map((section, place) => ({
    id: sectionId(page.file, place),
    parent: page.file,
    fields: {
      heading: section.heading,
      path: section.headingPath.slice(0, -1),
      title: [page.title, fileWords(page.file)],
      text: section.text,
      code: section.blocks.filter(isCode).map((block) => block.text),
    },
  }));
}

function isCode(block: Block): boolean {
  return block.kind === "code";
}

/** The path of a file as words, without its ending. */
function fileWords(file: string): string {
  return file.replace(/\.[^./]*$/, "").replace(/[/_-]+/g, " ");
}

/** Whether it has anything but its heading. */
export function hasContent(section: Section): boolean {
  return section.blocks.length > 0;
}
