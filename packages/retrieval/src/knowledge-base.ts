import { changesBetween, followPages } from "./folder/follow-pages.js";
import type { Omission, PageEntry, PageSource } from "./folder/page-source.js";
import type { MarkdownPage, Section } from "./markdown/page.js";
import { slugOf } from "./markdown/slug.js";
import { readPage } from "./read-page.js";
import type {
  SectionIndexOptions,
  SectionResult,
  SectionSearchOptions,
} from "./sections/section-index.js";
import { createSectionIndex } from "./sections/section-index.js";

/** How far an opening or a refresh is. */
export interface KnowledgeBaseProgress {
  /** Pages read and indexed so far. */
  readonly done: number;
  /** Pages that have to be read. */
  readonly total: number;
  readonly file: string;
}

/** Options for {@link openKnowledgeBase}. */
export interface KnowledgeBaseOptions {
  /** Where the pages come from. */
  readonly source: PageSource;
  /** How sections are ranked. */
  readonly ranking?: SectionIndexOptions;
  /** Hears of each page that was read. What it throws is ignored. */
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
}

/** Markdown pages that can be searched by section. */
export interface KnowledgeBase {
  /** How many sections there are. */
  readonly size: number;
  /** What was left out at the last look, and why. */
  readonly omissions: readonly Omission[];
  /** The sections that have most of the query, best first. */
  search(query: string, options?: SectionSearchOptions): Promise<SectionResult>;
  /** The files, sorted. */
  files(): readonly string[];
  /** A page by its file, spelled as in `files()`. */
  page(file: string): MarkdownPage | undefined;
  /**
   * A section by anchor (with or without `#`), by heading, or by a path of headings `A > B`; of
   * several with the heading the first. Without a name the first section of the page.
   */
  section(file: string, anchorOrHeading?: string): Section | undefined;
  /** Reads what is new or changed and forgets what is gone. One refresh at a time; more wait for it. */
  refresh(options?: { readonly signal?: AbortSignal }): Promise<RefreshReport>;
  /** Refreshes whenever pages change, until the signal aborts or the base is closed, and tells of each. */
  follow(options: {
    readonly signal?: AbortSignal;
    readonly intervalMs?: number;
    readonly onChange?: (report: RefreshReport) => void;
  }): Promise<void>;
  /** Ends what is running. Searches go on to work. */
  close(): Promise<void>;
}

/**
 * Reads every page of a source and opens it for searching.
 *
 * Rejects when the source cannot be listed, and with the signal's reason. A page that cannot be
 * read is left out and named in `omissions`.
 */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
  const { source, ranking, onProgress, signal } = options;
  const index = createSectionIndex(ranking);
  const closing = new AbortController();
  let known: readonly PageEntry[] = [];
  let omissions: readonly Omission[] = [];
  let running: Promise<unknown> = Promise.resolve();

  async function look(lookSignal?: AbortSignal): Promise<RefreshReport> {
    const listing = await source.list(lookSignal);
    const { changed, removed } = changesBetween(known, listing.pages);
    const unread: Omission[] = [];
    const gone = new Set(removed);
    let done = 0;
    for (const file of changed) {
      const page = await readPage(source, file, lookSignal);
      if ("reason" in page) {
        unread.push(page);
        if (index.remove(file)) gone.add(file);
      } else index.set(page);
      tell(onProgress, { done: ++done, total: changed.length, file });
    }
    for (const file of removed) index.remove(file);
    const left = new Set(unread.map(({ file }) => file));
    known = listing.pages.filter(({ file }) => !left.has(file));
    omissions = [...listing.omissions, ...unread].sort((a, b) => (a.file < b.file ? -1 : 1));
    return {
      changed: changed.filter((file) => !left.has(file)),
      removed: [...gone].sort(),
      omissions,
    };
  }

  /** One after the other, so that two never change the index at once. */
  function inTurn(work: () => Promise<RefreshReport>): Promise<RefreshReport> {
    const turn = running.then(work, work);
    running = turn.catch(() => {});
    return turn;
  }

  await inTurn(() => look(signal));

  return {
    get size() {
      return index.size;
    },
    get omissions() {
      return omissions;
    },
    async search(query, searchOptions = {}) {
      return index.search(query, searchOptions);
    },
    files: () => index.pages().map(({ file }) => file),
    page: (file) => index.page(file),
    section: (file, name) => findSection(index.page(file), name),
    refresh: ({ signal: refreshSignal } = {}) => inTurn(() => look(refreshSignal)),
    async follow({ signal: followSignal, intervalMs, onChange }) {
      const ending = new AbortController();
      const end = () => ending.abort();
      const signals = [followSignal, closing.signal].filter((each) => each !== undefined);
      try {
        for (const each of signals) {
          if (each.aborted) return;
          each.addEventListener("abort", end, { once: true });
        }
        const pace = intervalMs === undefined ? {} : { intervalMs };
        for await (const _ of followPages(source, {
          signal: ending.signal,
          since: known,
          ...pace,
        })) {
          const report = await inTurn(() => look(ending.signal)).catch(() => undefined);
          if (report !== undefined) onChange?.(report);
        }
      } finally {
        for (const each of signals) each.removeEventListener("abort", end);
      }
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

function tell(
  onProgress: KnowledgeBaseOptions["onProgress"],
  progress: KnowledgeBaseProgress,
): void {
  try {
    onProgress?.(progress);
  } catch {
    // A listener decides nothing.
  }
}

function findSection(
  page: MarkdownPage | undefined,
  name: string | undefined,
): Section | undefined {
  if (page === undefined || name === undefined) return page?.sections[0];
  const anchor = name.trim().replace(/^#+\s*/, "");
  const byAnchor = page.sections.find(({ anchors }) => anchors.includes(anchor));
  if (byAnchor !== undefined) return byAnchor;
  const heading = slugOf(anchor.split(/\s+>\s+/).at(-1) ?? anchor);
  return page.sections.find((section) => slugOf(section.heading) === heading);
}
