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
