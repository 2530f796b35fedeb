import { MeshError } from "@constellation/core";
import type { PageInfo, PageReader } from "./page-reader.js";
import { createSectionIndex, type SectionIndex } from "./section-index.js";
import { type Section, sectionsOf } from "./sections.js";
import { createSharedWork, throwIfOver, type Waiter, type WorkSide } from "./shared-work.js";

/** Bounds of what is read. */
export interface PageLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxBytes: number;
  readonly refreshMs: number;
}

/** A page that is not in the index, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: "too-large" | "too-many-bytes" | "too-many-files" | "unreadable";
}

/** What is known of the pages at one moment. */
export interface Pages {
  readonly index: SectionIndex;
  /** Number of pages in it. */
  readonly count: number;
  /** Nothing after the first `too-many-files` is listed. */
  readonly leftOut: readonly LeftOut[];
}

/** The pages as they are now, or were at most `refreshMs` ago. */
export interface PageIndex {
  /** Rejects with a MeshError: `DATA_SOURCE_ERROR`, or `TIMEOUT` when the caller no longer waits. */
  current(waiter: Waiter): Promise<Pages>;
}

interface KnownPage {
  readonly version: string;
  readonly sections: readonly Section[];
}

/** Keeps an index of pages: made at the first question, and anew when pages have changed. */
export function createPageIndex(reader: PageReader, limits: PageLimits): PageIndex {
  const known = new Map<string, KnownPage>();
  let pages: Pages | undefined;
  let fingerprint = "";
  let checkedAt = Number.NEGATIVE_INFINITY;

  const refresh = createSharedWork(async (side) => {
    const startedAt = performance.now();
    const { listed, leftOut } = await takeList(reader, limits, side.signal);
    const found = listed.map(({ path, version }) => `${path}\n${version}`).join("\n");
    if (pages === undefined || found !== fingerprint) {
      const unreadable = await readChanged(reader, listed, known, side);
      const kept = listed.flatMap(({ path }) => known.get(path) ?? []);
      if (kept.length === 0 && unreadable.length > 0) throw new Error("no page could be read");
      const index = await createSectionIndex(kept.flatMap(({ sections }) => sections));
      side.signal.throwIfAborted();
      pages = {
        index,
        count: kept.length,
        leftOut: [...leftOut, ...unreadable],
      };
      fingerprint = unreadable.length > 0 ? "" : found; // those unreadable are tried again
    }
    checkedAt = startedAt;
    return pages;
  });

  return {
    async current(waiter) {
      throwIfOver(waiter);
      if (pages !== undefined && performance.now() - checkedAt < limits.refreshMs) return pages;
      try {
        return await refresh(waiter);
      } catch (thrown) {
        if (thrown instanceof MeshError) throw thrown;
        // What the file system said stays out of the message: it names paths of the machine.
        throw new MeshError("DATA_SOURCE_ERROR", "The pages could not be read.", {
          suggestion: "Check that the folder of pages exists and can be read, then ask again.",
          cause: thrown,
        });
      }
    },
  };
}

async function takeList(
  reader: PageReader,
  { maxFiles, maxFileBytes, maxBytes }: PageLimits,
  signal: AbortSignal,
): Promise<{ listed: readonly PageInfo[]; leftOut: readonly LeftOut[] }> {
  const listed: PageInfo[] = [];
  const leftOut: LeftOut[] = [];
  let total = 0;
  for await (const page of reader.list(signal)) {
    signal.throwIfAborted();
    const { path, bytes } = page;
    if (listed.length === maxFiles) {
      leftOut.push({ path, why: "too-many-files" });
      break;
    }
    if (bytes > maxFileBytes) leftOut.push({ path, why: "too-large" });
    else if (total + bytes > maxBytes) leftOut.push({ path, why: "too-many-bytes" });
    else {
      listed.push(page);
      total += bytes;
    }
  }
  return { listed, leftOut };
}

/** Reads the pages that are new or changed, and forgets those that are gone. */
async function readChanged(
  reader: PageReader,
  listed: readonly PageInfo[],
  known: Map<string, KnownPage>,
  { signal, report }: WorkSide,
): Promise<readonly LeftOut[]> {
  const paths = new Set(listed.map(({ path }) => path));
  for (const path of known.keys()) if (!paths.has(path)) known.delete(path);

  const changed = listed.filter(({ path, version }) => known.get(path)?.version !== version);
  const unreadable: LeftOut[] = [];
  const every = Math.max(10, Math.ceil(changed.length / 10));
  for (const [index, { path, version }] of changed.entries()) {
    if (index % every === 0) {
      const done = index === 0 ? "" : `, ${index} done`;
      report(`reading ${changed.length} ${changed.length === 1 ? "page" : "pages"}${done}`);
    }
    known.delete(path);
    try {
      const text = await reader.read(path, signal);
      if (text !== undefined) known.set(path, { version, sections: sectionsOf(path, text) });
    } catch {
      signal.throwIfAborted();
      unreadable.push({ path, why: "unreadable" });
    }
    signal.throwIfAborted();
  }
  report(`indexed ${known.size} ${known.size === 1 ? "page" : "pages"}`);
  return unreadable;
}
