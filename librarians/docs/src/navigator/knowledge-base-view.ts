/** A section of a page, as the validator reads it. */
export interface KnowledgeSection {
  /** Without markup; empty for what is before the first heading. */
  readonly heading: string;
  /** Headings from the outermost to this one, included. */
  readonly headingPath?: readonly string[] | undefined;
  /** What follows `#` in a link to it. */
  readonly anchor?: string | undefined;
  /** Raw Markdown between this heading and the next, code included. */
  readonly text: string;
}

/**
 * What the validator needs of a knowledge base. A snapshot: it gives the same at every call, for
 * what is worked out from it is kept as long as the object lives. When pages change, make another.
 */
export interface KnowledgeBaseView {
  /** Paths of all pages, relative to the root, with forward slashes: `deployment/ssl.md`. */
  files(): readonly string[];
  hasFile(path: string): boolean;
  /** Sections of a page in order; none for an unknown one. */
  sections(path: string): readonly KnowledgeSection[];
}
