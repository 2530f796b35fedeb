import type { LexicalDocument } from "../lexical/documents.js";
import { detectLanguage } from "../lexical/language.js";
import type { MarkdownPage } from "../markdown/page.js";

/** Identity of a section in its knowledge base: `file#n`, where n counts the sections of the file from 0. */
export function sectionId(file: string, place: number): string {
  return `${file}#${place}`;
}

/** Turns each section of a page into a document whose parent is the file. */
export function sectionDocuments(page: MarkdownPage): readonly LexicalDocument[] {
  const prose = page.sections.map(({ heading, blocks }) =>
    [heading, ...blocks.filter(({ kind }) => kind !== "code").map(({ text }) => text)].join("\n"),
  );
  const prior = detectLanguage(prose.slice(0, 50).join("\n"));
  return page.sections.map((section, place) => ({
    id: sectionId(page.file, place),
    parent: page.file,
    language: detectLanguage(prose[place] ?? "", { prior }),
    fields: {
      heading: section.heading,
      path: section.headingPath.slice(0, -1),
      title: [page.title, fileWords(page.file), ...readAliases(page)],
      text: section.text,
      code: section.blocks.filter(({ kind }) => kind === "code").map(({ text }) => text),
    },
  }));
}

/** The path of a file as words, without its ending. */
function fileWords(file: string): string {
  return file.replace(/\.[^./]*$/, "").replace(/[/_-]+/g, " ");
}

/** Other names that the front matter gives the page. */
function readAliases({ frontMatter }: MarkdownPage): readonly string[] {
  return [frontMatter.aliases, frontMatter.keywords, frontMatter.tags, frontMatter.sidebar_label]
    .flat()
    .filter((value) => typeof value === "string");
}
