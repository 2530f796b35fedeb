import { createAnalyzer } from "../lexical/analyzer.js";
import type {
  LexicalHit,
  LexicalResult,
  LexicalSearchOptions,
  QueryFacts,
} from "../lexical/hit.js";
import { languages } from "../lexical/language.js";
import {
  createLexicalIndex,
  type FieldOptions,
  type IndexSnapshot,
  type SnapshotPart,
} from "../lexical/lexical-index.js";
import { synonymsFor } from "../lexical/synonyms.js";
import type { MarkdownPage, Section } from "../markdown/page.js";
import { type StoredPage, toStoredPage } from "../store/stored-page.js";
import { sectionDocuments } from "./section-documents.js";

/** A section that was found. */
export interface SectionHit extends Omit<LexicalHit, "parent"> {
  /** `file#n`, where n counts the sections of the file from 0. */
  readonly id: string;
  readonly section: Section;
}

/** Result of a search over sections. */
export interface SectionResult {
  /** Best first; equal scores in the order of their ids. */
  readonly hits: readonly SectionHit[];
  readonly facts: QueryFacts;
}

/** Options of a search over sections. */
export interface SectionSearchOptions {
  /** Maximum number of hits. Integer, 1 or more.
   *
   * @default 10
   */
  readonly limit?: number;
  /** Whether a section may be found. */
  readonly filter?: (section: Section) => boolean;
  /** Ends the search with the signal's reason when it has aborted. */
  readonly signal?: AbortSignal;
}

/** The fields of a section. */
export type SectionField = "heading" | "path" | "title" | "text" | "code";

/** An index of the sections of pages. */
export interface SectionIndex {
  /** Number of sections. */
  readonly size: number;
  /** The files of the pages, sorted. */
  files(): readonly string[];
  /** The pages, sorted by file. */
  pages(): readonly MarkdownPage[];
  page(file: string): MarkdownPage | undefined;
  /** Adds a page, replacing an older one of the same file. */
  set(page: MarkdownPage): void;
  /** Removes a page; returns whether it existed. */
  remove(file: string): boolean;
  search(query: string, options?: SectionSearchOptions): SectionResult;
  /** The same in turns of the event loop, which it never blocks for long. */
  searchInTurns(query: string, options?: SectionSearchOptions): Promise<SectionResult>;
  /** The section with this id. */
  section(id: string): Section | undefined;
  /** Ids of the sections of a page; none for a file that is not one. */
  sectionIds(file: string): readonly string[];
  /** The pages of these files as they are stored. They stay so in memory, where they take less, until they are read again. */
  storedPages(files: readonly string[]): readonly StoredPage[];
  /** Number of terms of the lexical index. */
  readonly termCount: number;
  /** The documents of some pages with some of the terms, for a store. */
  snapshot(part: SnapshotPart): IndexSnapshot;
  /** Adds pages of a store with their documents, replacing older ones of the same files, and removes pages. */
  restore(stored: StoredPages): void;
}

/** Pages of a store. */
export interface StoredPages {
  readonly pages: readonly StoredPage[];
  /** Files that were removed. */
  readonly removed: readonly string[];
  /** Their documents, with terms that follow those of the index. */
  readonly snapshot: IndexSnapshot;
}

/** Weights tuned on three knowledge bases of real documentation: see the README. */
export const sectionFields: Readonly<Record<SectionField, FieldOptions>> = {
  heading: { weight: 8, b: 0.6 },
  path: { weight: 1.5, b: 0.6 },
  title: { weight: 1.5, b: 0.9 },
  text: { weight: 1, b: 0.4 },
  code: { weight: 0.7, b: 0.6 },
};

/** Words that refer to the documentation itself, not to a subject, as the analyzer writes them. */
const wordsAboutDocuments: ReadonlySet<string> = new Set(
  (
    "add added adding document documentation documented docs doc section sections explain clarify " +
    "describe mention update fix improve note information info"
  )
    .split(" ")
    .map(languages.en.stem),
);
const aboutDocumentsWeight = 0.3;

/** Creates an index over the sections of Markdown pages. */
export function createSectionIndex(): SectionIndex {
  const analyzer = createAnalyzer();
  const index = createLexicalIndex({
    fields: sectionFields,
    titleField: "heading",
    analyzer,
    synonyms: synonymsFor(analyzer),
    termWeight: (term) => (wordsAboutDocuments.has(term) ? aboutDocumentsWeight : 1),
  });
  const pages = new Map<string, MarkdownPage | StoredPage>();

  function getPage(file: string): MarkdownPage | undefined {
    const page = pages.get(file);
    if (page === undefined || "sections" in page) return page;
    const read = page.read();
    pages.set(file, read);
    return read;
  }

  function allPages(): readonly MarkdownPage[] {
    return [...pages.keys()].sort().flatMap((file) => getPage(file) ?? []);
  }

  const getSection = (id: string): Section | undefined => {
    const cut = id.lastIndexOf("#");
    return getPage(id.slice(0, cut))?.sections[Number(id.slice(cut + 1))];
  };

  function toLexical({ filter, ...given }: SectionSearchOptions): LexicalSearchOptions {
    if (filter === undefined) return given;
    const isWanted = (id: string) => {
      const section = getSection(id);
      return section !== undefined && filter(section);
    };
    return { ...given, filter: isWanted };
  }

  function toSections({ hits, facts }: LexicalResult): SectionResult {
    return {
      facts,
      hits: hits.flatMap(({ parent: _, ...hit }) => {
        const section = getSection(hit.id);
        return section === undefined ? [] : [{ ...hit, section }];
      }),
    };
  }

  return {
    get size() {
      return index.size;
    },
    files: () => [...pages.keys()].sort(),
    pages: allPages,
    page: getPage,
    set(page) {
      pages.set(page.file, page);
      index.removeParent(page.file);
      index.add(sectionDocuments(page));
    },
    remove(file) {
      index.removeParent(file);
      return pages.delete(file);
    },
    section: getSection,
    sectionIds: (file) => index.idsOf(file),
    storedPages: (files) =>
      files.flatMap((file) => {
        const page = pages.get(file);
        if (page === undefined || "json" in page) return page ?? [];
        const stored = toStoredPage(page);
        pages.set(file, stored);
        return stored;
      }),
    get termCount() {
      return index.termCount;
    },
    snapshot: (part) => index.snapshot(part),
    restore(stored) {
      for (const file of [...stored.removed, ...stored.pages.map((page) => page.file)]) {
        index.removeParent(file);
        pages.delete(file);
      }
      for (const page of stored.pages) pages.set(page.file, page);
      index.restore(stored.snapshot);
    },
    search: (query, given = {}) => toSections(index.search(query, toLexical(given))),
    searchInTurns: async (query, given = {}) =>
      toSections(await index.searchInTurns(query, toLexical(given))),
  };
}
