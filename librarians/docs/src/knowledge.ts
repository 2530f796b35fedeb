import { MeshError } from "@constellation/core";
import { type FlightWaiter, singleFlight, throwIfAborted } from "@constellation/core/authoring";
import {
  type Embedder,
  type IndexStore,
  type KnowledgeBase,
  openKnowledgeBase,
  type PageSource,
} from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./navigator/knowledge-base-view.js";
import { viewOf } from "./view.js";

/** The pages, opened when they are first needed and refreshed as they change. */
export interface Knowledge {
  /** Begins to read the pages and does not wait; a failure is reported to the next caller. */
  begin(): void;
  /**
   * The pages as they are known now. Waits only for the first reading; a refresh runs beside it.
   *
   * Rejects with a MeshError: `DATA_SOURCE_ERROR`, or `TIMEOUT` when the caller no longer waits.
   */
  current(waiter: FlightWaiter): Promise<Opened>;
  /** How far the first reading is; undefined before and after it. */
  readonly reading: ReadingProgress | undefined;
  /** Whether the last refresh failed: the answers come from an older state. */
  readonly isStale: boolean;
  close(): Promise<void>;
}

/** Pages read so far, and those that have to be; `total` is 0 while the folder is listed. */
export interface ReadingProgress {
  readonly done: number;
  readonly total: number;
}

/** What is known of the pages at one moment. */
export interface Opened {
  readonly base: KnowledgeBase;
  /** A new one whenever a page has changed. */
  readonly view: KnowledgeBaseView;
}

/** What {@link createKnowledge} needs. */
export interface KnowledgeOptions {
  readonly source: PageSource;
  /** Where the index is kept between runs. */
  readonly store: IndexStore | undefined;
  readonly embedder: Embedder | undefined;
  /** How long the pages are taken to be unchanged, in milliseconds. */
  readonly refreshMs: number;
}

/** Opens the pages at the first query, and reads those that changed at most every `refreshMs`. */
export function createKnowledge({
  source,
  store,
  embedder,
  refreshMs,
}: KnowledgeOptions): Knowledge {
  let opened: Opened | undefined;
  let reading: ReadingProgress | undefined;
  let isStale = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let closing = new AbortController();

  const open = singleFlight(async ({ signal, report }): Promise<Opened> => {
    if (opened !== undefined) return opened;
    const startedAt = performance.now();
    reading = { done: 0, total: 0 };
    try {
      const base = await openKnowledgeBase({
        source,
        signal,
        ...(store !== undefined && { store }),
        ...(embedder !== undefined && { embedder }),
        onProgress: ({ done, total }) => {
          reading = { done, total };
          if (isReported(done, total)) report(`read ${done} of ${total} ${pages(total)}`);
        },
      });
      throwIfAborted(signal);
      refuseUnreadable(base);
      opened = openedOf(base);
      checkedAt = startedAt;
      const count = base.files().length;
      report(`indexed ${count} ${pages(count)}`);
      return opened;
    } finally {
      reading = undefined;
    }
  });

  const refresh = singleFlight(async ({ signal }) => {
    if (opened === undefined) return;
    const { base } = opened;
    const startedAt = performance.now();
    try {
      const { changed, removed } = await base.refresh({ signal });
      isStale = false;
      if (changed.length + removed.length > 0) opened = openedOf(base);
    } catch {
      isStale = true;
    } finally {
      checkedAt = startedAt;
    }
  });

  /** Reading continues when the callers have left: the next one finds what was read. */
  function begin(): void {
    void open({ signal: closing.signal }).catch(() => undefined);
  }

  return {
    begin,
    get reading() {
      return reading;
    },
    get isStale() {
      return isStale;
    },
    async current(waiter) {
      throwIfAborted(waiter.signal);
      if (opened !== undefined) {
        if (performance.now() - checkedAt >= refreshMs) {
          void refresh({ signal: closing.signal }).catch(() => undefined);
        }
        return opened;
      }
      begin();
      try {
        return await open({ ...waiter, message: "The pages were not read in time." });
      } catch (thrown) {
        if (thrown instanceof MeshError) throw thrown;
        // What the file system said stays out of the message: it names paths of the machine.
        throw new MeshError("DATA_SOURCE_ERROR", "The pages could not be read.", {
          suggestion: "Check that the folder of pages exists and can be read, then ask again.",
          cause: thrown,
        });
      }
    },
    async close() {
      closing.abort(new MeshError("TIMEOUT", "The pages are closed.", { reason: "cancelled" }));
      closing = new AbortController();
      const { base } = opened ?? {};
      opened = undefined;
      await base?.close();
    },
  };
}

/** The view is made when it is first needed: only a model's answer is checked against all pages. */
function openedOf(base: KnowledgeBase): Opened {
  let view: KnowledgeBaseView | undefined;
  return {
    base,
    get view() {
      view ??= viewOf(base);
      return view;
    },
  };
}

/** A folder in which no page can be read is not a folder without pages. */
function refuseUnreadable(base: KnowledgeBase): void {
  const isUnread = base.report.omissions.some(({ reason }) => reason === "unreadable");
  if (base.files().length === 0 && isUnread) throw new Error("no page could be read");
}

/** About ten reports, however many pages there are. */
function isReported(done: number, total: number): boolean {
  return done === total || done % Math.max(10, Math.ceil(total / 10)) === 0;
}

function pages(count: number): string {
  return count === 1 ? "page" : "pages";
}
