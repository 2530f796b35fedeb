import { type MarkdownPage, parseMarkdown } from "@constellation/retrieval";

/** A section of a page, as the validator reads it. */
export interface KnowledgeSection {
  /** Without markup; empty for the text before the first heading. */
  readonly heading: string;
  /** Headings from the outermost one down to this one, inclusive. */
  readonly headingPath?: readonly string[] | undefined;
  /** What follows `#` in a link to it. */
  readonly anchor?: string | undefined;
  /** Raw Markdown between this heading and the next, code included. */
  readonly text: string;
}

/**
 * What the validator needs from a knowledge base. A snapshot: it must return the same values at
 * every call, because the validator caches what it computes from them. When pages change, create a
 * new view.
 */
export interface KnowledgeBaseView {
  /** Paths of all pages, relative to the root, with forward slashes: `deployment/ssl.md`. */
  files(): readonly string[];
  hasFile(path: string): boolean;
  /** Sections of a page in order; empty for an unknown one. */
  sections(path: string): readonly KnowledgeSection[];
}

/** The view of pages by their paths. A path without a page has no sections. */
export function viewOfPages(
  pages: ReadonlyMap<string, MarkdownPage | undefined>,
): KnowledgeBaseView {
  return {
    files: () => [...pages.keys()],
    hasFile: (path) => pages.has(path),
    sections: (path) =>
      (pages.get(path)?.sections ?? []).map(({ heading, headingPath, anchor, markdown }) => ({
        heading,
        headingPath,
        anchor,
        text: markdown,
      })),
  };
}

/**
 * A knowledge base from Markdown texts in memory, for tests and for checking an answer against a
 * handful of pages.
 *
 * @param pages - Text by path: `{ "deployment/ssl.md": "# SSL\n…" }`.
 */
export function createMemoryKnowledgeBase(
  pages: Readonly<Record<string, string>>,
): KnowledgeBaseView {
  const parsed = Object.entries(pages).map(
    ([file, text]) => [file, parseMarkdown(text, { file })] as const,
  );
  return viewOfPages(new Map(parsed));
}
