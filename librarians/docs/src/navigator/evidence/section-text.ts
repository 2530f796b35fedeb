import type { KnowledgeSection } from "../knowledge-base-view.js";

/** A section in the forms in which tokens are searched. */
export interface SectionText {
  readonly file: string;
  readonly section: KnowledgeSection;
  /** Headings, then the text, unchanged. */
  readonly raw: string;
  /** In lower case, white space collapsed, without Markdown escapes. */
  readonly folded: string;
  /** As `folded`, without Markdown marks and link targets. */
  readonly plain: string;
  /** Computes a value from this section and caches it by the function; pass named functions. */
  fact<T>(extract: (section: SectionText) => T): T;
}

/** Creates a section text. The forms are computed when first read. */
export function createSectionText(file: string, section: KnowledgeSection): SectionText {
  const facts = new Map<unknown, unknown>();
  const self: SectionText = {
    file,
    section,
    get raw() {
      return self.fact(joinHeadingsAndText);
    },
    get folded() {
      return self.fact(foldRaw);
    },
    get plain() {
      return self.fact(stripMarkdown);
    },
    fact<T>(extract: (section: SectionText) => T): T {
      if (!facts.has(extract)) facts.set(extract, extract(self));
      return facts.get(extract) as T; // what this very function gave
    },
  };
  return self;
}

function joinHeadingsAndText({
  section: { heading, headingPath = [heading], text },
}: SectionText): string {
  const headings = headingPath.at(-1) === heading ? headingPath : [...headingPath, heading];
  return `${headings.join("\n\n")}\n\n${text}`;
}

function foldRaw({ raw }: SectionText): string {
  return foldText(raw);
}

function stripMarkdown({ raw }: SectionText): string {
  const text = raw
    .replace(
      /!?\[([^[\]]{0,500})\](?:\([^()\s]{0,500}(?:\s[^()]{0,200})?\)|\[[^[\]]{0,200}\])/g,
      "$1",
    )
    .replace(/<\/?[a-zA-Z][^<>]{0,500}>/g, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/^[ \t]*>[ \t]?/gm, "");
  return foldText(text);
}

/**
 * The form in which tokens are compared: lower case, Markdown escapes removed, white space
 * collapsed to one space, and to a line break between paragraphs, so that no token matches across
 * two of them.
 */
export function foldText(text: string): string {
  return text
    .replace(/\\([_<>*.#`[\](){}!+|~-])/g, "$1")
    .replace(/\s+/g, (blank) => (/\n\s*\n/.test(blank) ? "\n" : " "))
    .toLowerCase();
}
