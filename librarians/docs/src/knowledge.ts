import { type FlightWaiter, singleFlight } from "@constellation/authoring";
import { MeshError, throwIfAborted } from "@constellation/core";
import {
  type Embedder,
  type IndexStore,
  type KnowledgeBase,
  openKnowledgeBase,
  type PageFormats,
  type PageSource,
} from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./navigator/knowledge-base-view.js";
import { viewOfPages } from "./navigator/knowledge-base-view.js";

/** The pages, opened when first needed and refreshed when they change. */
export interface Knowledge {
  /** Starts reading the pages without waiting; a failure is reported to the next caller. */
  begin(): void;
  /** The pages as read so far. Waits only for the first reading; a refresh runs in the background.
   *
   * Rejects with a MeshError: `DATA_SOURCE_ERROR`, or `TIMEOUT` when the caller no longer waits.
   */
  current(waiter: FlightWaiter): Promise<Opened>;
  /** The pages as read so far; `undefined` before the first reading has ended. Waits for nothing. */
  readonly opened: Opened | undefined;
  /** Progress of the first reading; `undefined` before and after it. */
  readonly reading: ReadingProgress | undefined;
  /** Whether the last refresh failed, so that answers use an older state. */
  readonly isStale: boolean;
  /** Whether the pages can be read now; `true` for a source that cannot say so. Rejects only with the signal's reason. */
  isReachable(signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Number of pages read so far, and in all; `total` is 0 while the folder is listed. */
export interface ReadingProgress {
  readonly done: number;
  readonly total: number;
}

/** The pages at one moment. */
export interface Opened {
  readonly base: KnowledgeBase;
  /** Another text whenever a page has changed. */
  readonly version: string;
  /** A new object whenever a page has changed. */
  readonly view: KnowledgeBaseView;
}

/** Options of {@link createKnowledge}. */
export interface KnowledgeOptions {
  readonly source: PageSource;
  readonly formats: PageFormats | undefined;
  /** Stores the index between runs. */
  readonly store: IndexStore | undefined;
  readonly embedder: Embedder | undefined;
  /** Minimum time between two refreshes, in milliseconds. */
  readonly refreshMs: number;
}

/** Opens the pages at the first query, and reads changed pages at most every `refreshMs`. */
export function createKnowledge({
  source,
  formats,
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
        formats,
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
      opened = withLazyView(base);
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
      if (changed.length + removed.length > 0) opened = withLazyView(base);
    } catch {
      isStale = true;
    } finally {
      checkedAt = startedAt;
    }
  });

  /** Reading continues when all callers have left, so that the next one finds its result. */
  function begin(): void {
    void open({ signal: closing.signal }).catch(() => undefined);
  }

  return {
    begin,
    get opened() {
      return opened;
    },
    get reading() {
      return reading;
    },
    get isStale() {
      return isStale;
    },
    async isReachable(signal) {
      try {
        await source.check?.(signal);
        return true;
      } catch {
        throwIfAborted(signal);
        return false;
      }
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
        // The message leaves out the file system's error, which names paths of the machine.
        throw new MeshError("DATA_SOURCE_ERROR", "The pages could not be read.", {
          suggestion: "Check that the folder of pages exists and is readable, then ask again.",
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

/** Number of states of pages that were read in this process. */
let versions = 0;

/** Creates the view when first needed: only a model's answer is checked against all pages. */
function withLazyView(base: KnowledgeBase): Opened {
  let view: KnowledgeBaseView | undefined;
  versions++;
  return {
    base,
    version: String(versions),
    get view() {
      view ??= viewOfPages(new Map(base.files().map((file) => [file, base.page(file)])));
      return view;
    },
  };
}

/** Throws when the folder has pages but none of them can be read. */
function refuseUnreadable(base: KnowledgeBase): void {
  const isUnread = base.report.omissions.some(({ reason }) => reason === "unreadable");
  if (base.files().length === 0 && isUnread) throw new Error("no page could be read");
}

/** Limits progress to about ten reports for any number of pages. */
function isReported(done: number, total: number): boolean {
  return done === total || done % Math.max(10, Math.ceil(total / 10)) === 0;
}

function pages(count: number): string {
  return count === 1 ? "page" : "pages";
}
