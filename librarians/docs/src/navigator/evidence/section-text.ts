import type { KnowledgeSection } from "../knowledge-base-view.js";

/** A section in the forms that tokens are looked up in. */
export interface SectionText {
  readonly file: string;
  readonly section: KnowledgeSection;
  /** Headings, then the text, as they stand. */
  readonly raw: string;
  /** In lower case, blanks folded, without backslashes before signs. */
  readonly folded: string;
  /** As `folded`, without the marks of Markdown and the targets of links. */
  readonly plain: string;
  /** Something worked out from this section, once for each function given: give named ones. */
  fact<T>(extract: (section: SectionText) => T): T;
}

/** Prepares a section. The forms are made when first read. */
export function createSectionText(file: string, section: KnowledgeSection): SectionText {
  const facts = new Map<unknown, unknown>();
  const self: SectionText = {
    file,
    section,
    get raw() {
      return self.fact(rawOf);
    },
    get folded() {
      return self.fact(foldedOf);
    },
    get plain() {
      return self.fact(plainOf);
    },
    fact<T>(extract: (section: SectionText) => T): T {
      if (!facts.has(extract)) facts.set(extract, extract(self));
      return facts.get(extract) as T; // what this very function gave
    },
  };
  return self;
}

function rawOf({ section: { heading, headingPath = [heading], text } }: SectionText): string {
  const headings = headingPath.at(-1) === heading ? headingPath : [...headingPath, heading];
  return `${headings.join("\n\n")}\n\n${text}`;
}

function foldedOf({ raw }: SectionText): string {
  return foldText(raw);
}

function plainOf({ raw }: SectionText): string {
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
 * The form that tokens are compared in: lower case, escapes of Markdown undone, blanks folded to one,
 * and to a line break between paragraphs, so that no token is found across two of them.
 */
export function foldText(text: string): string {
  return text
    .replace(/\\([_<>*.#`[\](){}!+|~-])/g, "$1")
    .replace(/\s+/g, (blank) => (/\n\s*\n/.test(blank) ? "\n" : " "))
    .toLowerCase();
}
