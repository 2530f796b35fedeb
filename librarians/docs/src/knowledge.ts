import { MeshError } from "@constellation/core";
import {
  type IndexStore,
  type KnowledgeBase,
  openKnowledgeBase,
  type PageSource,
} from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./navigator/knowledge-base-view.js";
import { createSharedWork, throwIfOver, type Waiter } from "./shared-work.js";

/** The pages, opened when they are first needed and looked at again as they change. */
export interface Knowledge {
  /** Begins to open the pages; what fails is told to whoever asks for them. */
  begin(): void;
  /** Rejects with a MeshError: `DATA_SOURCE_ERROR`, or `TIMEOUT` when the caller no longer waits. */
  current(waiter: Waiter): Promise<Opened>;
  close(): Promise<void>;
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
  /** How long the pages are taken to be unchanged, in milliseconds. */
  readonly refreshMs: number;
}

/** Opens the pages at the first question and reads those that changed, at most every `refreshMs`. */
export function createKnowledge({ source, store, refreshMs }: KnowledgeOptions): Knowledge {
  let opened: Opened | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let closing = new AbortController();

  const look = createSharedWork(async ({ signal, report }): Promise<Opened> => {
    const startedAt = performance.now();
    if (opened === undefined) {
      const base = await openKnowledgeBase({
        source,
        signal,
        ...(store !== undefined && { store }),
        onProgress: ({ done, total }) => {
          if (isTold(done, total)) report(`reading ${total} ${pages(total)}, ${done} done`);
        },
      });
      signal.throwIfAborted();
      refuseUnreadable(base);
      opened = { base, view: viewOf(base) };
      const count = base.files().length;
      report(`indexed ${count} ${pages(count)}`);
    } else {
      const { base } = opened;
      const { changed, removed } = await base.refresh({ signal });
      const count = changed.length + removed.length;
      if (count > 0) {
        opened = { base, view: viewOf(base) };
        report(`${count} ${pages(count)} changed`);
      }
    }
    checkedAt = startedAt;
    return opened;
  });

  return {
    begin() {
      void look({ signal: closing.signal }).catch(() => {
        // The next query tries again, and is told.
      });
    },
    async current(waiter) {
      throwIfOver(waiter);
      if (opened !== undefined && performance.now() - checkedAt < refreshMs) return opened;
      try {
        return await look(waiter);
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

/** A folder in which no page can be read is no folder without pages. */
function refuseUnreadable(base: KnowledgeBase): void {
  const isUnread = base.report.omissions.some(({ reason }) => reason === "unreadable");
  if (base.files().length === 0 && isUnread) throw new Error("no page could be read");
}

/** About ten reports, however many pages there are. */
function isTold(done: number, total: number): boolean {
  return done === total || done % Math.max(10, Math.ceil(total / 10)) === 0;
}

function pages(count: number): string {
  return count === 1 ? "page" : "pages";
}

/** The pages as they are now, for the validator: what changes later is not seen in it. */
function viewOf(base: KnowledgeBase): KnowledgeBaseView {
  const pagesByFile = new Map(base.files().map((file) => [file, base.page(file)]));
  return {
    files: () => [...pagesByFile.keys()],
    hasFile: (path) => pagesByFile.has(path),
    sections: (path) =>
      (pagesByFile.get(path)?.sections ?? []).map(({ heading, headingPath, anchor, markdown }) => ({
        heading,
        headingPath,
        anchor,
        text: markdown,
      })),
  };
}
