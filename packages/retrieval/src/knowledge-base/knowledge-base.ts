import type { Embedder } from "../embeddings/embedder.js";
import type { Omission, PageSource } from "../folder/page-source.js";
import type { MarkdownPage, Section } from "../markdown/page.js";
import type { SectionResult, SectionSearchOptions } from "../sections/section-index.js";
import type { StoreProblem } from "../store/codec.js";
import type { IndexStore } from "../store/index-store.js";
import type { PageFormats } from "./read-page.js";

/** Progress of an opening or a refresh. */
export interface KnowledgeBaseProgress {
  /** Pages read and parsed so far. */
  readonly done: number;
  /** Number of pages to read. */
  readonly total: number;
  readonly file: string;
}

/** Options for `openKnowledgeBase`. */
export interface KnowledgeBaseOptions {
  /** Source of the pages. */
  readonly source: PageSource;
  /** How files that are not Markdown are read. Default: none are. */
  readonly formats?: PageFormats | undefined;
  /** Keeps the index between runs, so that only changed pages are read. Default: none. */
  readonly store?: IndexStore;
  /** Adds nearness of meaning to the ranking. Default: ranking by words alone. */
  readonly embedder?: Embedder;
  /** Called after each page is read. Exceptions it throws are ignored. */
  readonly onProgress?: (progress: KnowledgeBaseProgress) => void;
  /** Aborts the opening, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Result of a refresh. */
export interface RefreshReport {
  /** Pages read, because they are new or changed; sorted. */
  readonly changed: readonly string[];
  /** Pages that were removed, or can no longer be read; sorted. */
  readonly removed: readonly string[];
  /** Omitted files with reasons, sorted by file. */
  readonly omissions: readonly Omission[];
  /**
   * Why the stored index was not used, or, once saving has failed, `not-saved`. Absent without a
   * problem.
   */
  readonly storeProblem?: StoreProblem;
  /** Why sections could not be embedded, once that has failed. Absent when all is well, and without an embedder. */
  readonly embeddingProblem?: string;
}

/** Result of a search. */
export interface KnowledgeResult extends SectionResult {
  /** Whether the ranking by meaning was used, and the reason if not. Absent without an embedder. */
  readonly embedding?: {
    readonly used: boolean;
    readonly problem?: string;
    /** Cosine to the query, -1 to 1, when the ranking by meaning was used. */
    readonly similarity?: {
      /** Cosine of the section nearest in meaning. */
      readonly nearest: number;
      /** Cosine of the best section; 0 when there is none. */
      readonly best: number;
    };
  };
}

/** Markdown pages that can be searched by section. */
export interface KnowledgeBase {
  /** Number of sections. */
  readonly size: number;
  /** Result of the last opening or refresh. */
  readonly report: RefreshReport;
  /** The sections that have most of the query, best first. Rejects only with the signal's reason. */
  search(query: string, options?: SectionSearchOptions): Promise<KnowledgeResult>;
  /** The files, sorted. */
  files(): readonly string[];
  /** A page by its file, spelled as in `files()`. */
  page(file: string): MarkdownPage | undefined;
  /**
   * A section by anchor (with or without `#`), by heading, or by a path of headings `A > B`; the
   * first of several with the same heading. Without a name, the first section of the page.
   */
  section(file: string, anchorOrHeading?: string): Section | undefined;
  /**
   * Reads new and changed pages and drops removed ones. Refreshes run one at a time.
   * Rejects when the source cannot be listed, and with the signal's reason.
   */
  refresh(options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /**
   * Resolves when embedding is idle, with whether all sections have vectors; `true` without an
   * embedder. Sections are embedded in the background; searches rank by words until most have a
   * vector.
   */
  embedded(): Promise<boolean>;
  /** Number of sections with a vector, and of all; `undefined` without an embedder. */
  readonly embedding: { readonly done: number; readonly total: number } | undefined;
  /**
   * Resolves when saving is idle, with whether the last save succeeded; `true` without a store.
   * Saving runs in the background; searches and refreshes do not wait for it.
   */
  saved(): Promise<boolean>;
  /**
   * Stops all background work and waits for it, at most 5 s for a running save. Searches still work
   * afterwards.
   */
  close(): Promise<void>;
}
