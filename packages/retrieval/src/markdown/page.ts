/** A Markdown file, split at its headings. */
export interface MarkdownPage {
  /** As given to `parseMarkdown`: a path relative to the root, with forward slashes. */
  readonly file: string;
  /** From the front matter, else the first heading of level 1, else any first heading, else the file's name. */
  readonly title: string;
  /** Front matter; empty when there is none or it is not a YAML mapping. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** In the order of the file. Empty only for a file with no text. */
  readonly sections: readonly Section[];
  /** Parts that were left out or could not be read, one sentence each. Empty without problems. */
  readonly problems: readonly string[];
}

/** A heading and the text under it, up to the next heading of any level. */
export interface Section {
  readonly file: string;
  /** The text of the heading, without markup. For text before the first heading: the page's title. */
  readonly heading: string;
  /** The headings above it and its own, outermost first. */
  readonly headingPath: readonly string[];
  /**
   * Anchor of the section: `{#id}` if given, else GitHub's slug, with `-1` and so on for
   * duplicates. Empty for text before the first heading.
   */
  readonly anchor: string;
  /** Every name it can be linked by: `anchor`, its slug, and `<a name>` in front of or inside it. */
  readonly anchors: readonly string[];
  /** 1 to 6; 0 for text before the first heading. */
  readonly level: number;
  /** The line of the heading, from 1. */
  readonly startLine: number;
  /** The last line, inclusive. */
  readonly endLine: number;
  /** The prose and tables, without markup and code blocks; blocks are separated by a line break. */
  readonly text: string;
  /** The lines of the section as they are in the file, separated by `\n`. */
  readonly markdown: string;
  /** The parts in order; the heading is not one of them. */
  readonly blocks: readonly Block[];
  /** Links in its text, in order. */
  readonly links: readonly Link[];
}

/** Kind of a block. */
export type BlockKind = "paragraph" | "list-item" | "code" | "table-row" | "quote" | "html";

/** One part of a section. */
export interface Block {
  readonly kind: BlockKind;
  /** Without markup; of code, as it stands; of a table row, cells separated by ` | `. */
  readonly text: string;
  /** From 1. */
  readonly startLine: number;
  /** Inclusive. */
  readonly endLine: number;
  /** Of a code block: the first word after the fence, lower case. */
  readonly language?: string;
  /** Of a table row: whether it is the row of column names. */
  readonly header?: boolean;
}

/** A link in the text. */
export interface Link {
  /** Visible text, without markup. */
  readonly text: string;
  /** Target, as written: `../rules.md#recording`, `#slug` or a URL. */
  readonly target: string;
}
