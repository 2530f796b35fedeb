import { setTimeout as wait } from "node:timers/promises";
import type { PageEntry, PageSource } from "./page-source.js";

/** How the pages changed since the last look. */
export interface PageChanges {
  /** New pages and pages of another size or time, sorted. */
  readonly changed: readonly string[];
  /** Pages that are gone, sorted. */
  readonly removed: readonly string[];
}

/** Options for {@link followPages}. */
export interface FollowOptions {
  /** Ends the following; the iteration then ends without an error. */
  readonly signal: AbortSignal;
  /**
   * Time between two looks, in milliseconds: 1 or more.
   *
   * @default 2_000
   */
  readonly intervalMs?: number;
  /** What is known already; changes are relative to it. By default the first look. */
  readonly since?: readonly PageEntry[];
}

/**
 * Looks at the pages again and again and reports what changed, by size and time of change.
 *
 * Looking works on every file system, network folders and container mounts included, where
 * watching does not. A look that fails reports nothing and is repeated. No timer is left behind, and
 * waiting alone does not keep the process alive.
 *
 * @throws {RangeError} For an interval outside its range, when the iteration begins.
 */
export async function* followPages(
  source: PageSource,
  options: FollowOptions,
): AsyncGenerator<PageChanges, void, undefined> {
  const { signal, intervalMs = 2_000, since } = options;
  let known = since ?? (await lookOrNothing(source, signal));
  while (await waited(intervalMs, signal)) {
    const seen = await lookOrNothing(source, signal);
    if (seen === undefined) continue;
    const changes = changesBetween(known ?? [], seen);
    known = seen;
    if (changes.changed.length > 0 || changes.removed.length > 0) yield changes;
  }
}

/** What turned the pages of one listing into those of another. */
export function changesBetween(
  before: readonly PageEntry[],
  after: readonly PageEntry[],
): PageChanges {
  const known = new Map(before.map((page) => [page.file, page]));
  const changed = after
    .filter(({ file, bytes, modifiedMs }) => {
      const page = known.get(file);
      known.delete(file);
      return page === undefined || page.bytes !== bytes || page.modifiedMs !== modifiedMs;
    })
    .map(({ file }) => file);
  return { changed, removed: [...known.keys()].sort() };
}

async function lookOrNothing(
  source: PageSource,
  signal: AbortSignal,
): Promise<readonly PageEntry[] | undefined> {
  try {
    return (await source.list(signal)).pages;
  } catch {
    return undefined;
  }
}

/**
 * Waits, without keeping the process alive.
 *
 * @returns False when the signal has aborted.
 * @throws {RangeError} For an interval outside its range.
 */
export async function waited(intervalMs: number, signal: AbortSignal): Promise<boolean> {
  if (!(intervalMs >= 1 && intervalMs <= 2_147_483_647)) {
    throw new RangeError(`intervalMs: expected 1 to 2147483647, got ${intervalMs}`);
  }
  try {
    await wait(intervalMs, undefined, { signal, ref: false });
    return !signal.aborted;
  } catch {
    return false;
  }
}
