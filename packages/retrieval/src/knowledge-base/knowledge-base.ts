import type { Embedder } from "../embeddings/embedder.js";
import type { Omission, PageSource } from "../folder/page-source.js";
import type { MarkdownPage, Section } from "../markdown/page.js";
import type {
  SectionIndexOptions,
  SectionResult,
  SectionSearchOptions,
} from "../sections/section-index.js";
import type { StoreProblem } from "../store/codec.js";
import type { IndexStore } from "../store/index-store.js";

/** How far an opening or a refresh is. */
export interface KnowledgeBaseProgress {
  /** Pages read and parsed so far. */
  readonly done: number;
  /** Pages that have to be read. */
  readonly total: number;
  readonly file: string;
}

/** Options for `openKnowledgeBase`. */
export interface KnowledgeBaseOptions {
  /** Where the pages come from. */
  readonly source: PageSource;
  /** Keeps the index between runs, so that only changed pages are read. None by default. */
  readonly store?: IndexStore;
  /** How sections are ranked. */
  readonly ranking?: SectionIndexOptions;
  /** Adds nearness of meaning to the ranking. None by default: words alone. */
  readonly embedder?: Embedder;
  /**
   * What one standard deviation of nearness in meaning counts beside a full match of the words, which
   * counts 3. Above 0.
   *
   * @default 0.15
   */
  readonly embeddingWeight?: number;
  /** Receives each page that was read. What it throws is ignored. */
  readonly onProgress?: (progress: KnowledgeBaseProgress) => void;
  /** Ends the opening with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What a refresh did. */
export interface RefreshReport {
  /** Pages read, because they are new or changed; sorted. */
  readonly changed: readonly string[];
  /** Pages that are gone, or can no longer be read; sorted. */
  readonly removed: readonly string[];
  /** What was left out, and why; sorted by file. */
  readonly omissions: readonly Omission[];
  /** Why the stored index was not used, or, once saving has failed, `not-saved`. Absent when all is well. */
  readonly storeProblem?: StoreProblem;
  /** Why sections could not be embedded, once that has failed. Absent when all is well, and without an embedder. */
  readonly embeddingProblem?: string;
}

/** What a search of a knowledge base gives. */
export interface KnowledgeResult extends SectionResult {
  /** Whether the ranking by meaning took part; why not, where it should have. Absent without an embedder. */
  readonly embedding?: {
    readonly used: boolean;
    readonly problem?: string;
    /** Cosine to the query, -1 to 1, where meaning took part. */
    readonly similarity?: {
      /** Of the section that is nearest in meaning. */
      readonly nearest: number;
      /** Of the best section. 0 where there is none. */
      readonly best: number;
    };
  };
}

/** Markdown pages that can be searched by section. */
export interface KnowledgeBase {
  /** How many sections there are. */
  readonly size: number;
  /** What the last opening or refresh did. */
  readonly report: RefreshReport;
  /** The sections that have most of the query, best first. Rejects only with the signal's reason. */
  search(query: string, options?: SectionSearchOptions): Promise<KnowledgeResult>;
  /** The files, sorted. */
  files(): readonly string[];
  /** A page by its file, spelled as in `files()`. */
  page(file: string): MarkdownPage | undefined;
  /**
   * A section by anchor (with or without `#`), by heading, or by a path of headings `A > B`; of
   * several with the heading the first. Without a name the first section of the page.
   */
  section(file: string, anchorOrHeading?: string): Section | undefined;
  /**
   * Reads what is new or changed and forgets what is gone. One at a time; others wait for it.
   * Rejects when the source cannot be listed, and with the signal's reason.
   */
  refresh(options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /**
   * Refreshes whenever pages change, until the signal aborts or the base is closed, and reports
   * each. Resolves then; waiting alone does not keep the process alive. `intervalMs` is the time
   * between two looks: 1 to 2147483647, 2,000 by default.
   */
  follow(options?: {
    readonly signal?: AbortSignal;
    readonly intervalMs?: number;
    readonly onChange?: (report: RefreshReport) => void;
  }): Promise<void>;
  /**
   * Resolves when no section is being embedded any more: whether all have vectors. True without an
   * embedder. Sections are embedded beside searches, which rank by words until most have a vector.
   */
  embedded(): Promise<boolean>;
  /** Sections that have a vector, and all; undefined without an embedder. */
  readonly embedding: { readonly done: number; readonly total: number } | undefined;
  /**
   * Resolves when nothing is being saved any more: whether the last save succeeded. True without a
   * store. Saving continues beside searches and refreshes; none of them waits for it.
   */
  saved(): Promise<boolean>;
  /** Ends what is running and waits for it; for an index being saved 5 s at most. Searches go on to work. */
  close(): Promise<void>;
}
