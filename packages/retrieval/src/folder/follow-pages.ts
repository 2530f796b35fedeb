import { setTimeout as wait } from "node:timers/promises";
import type { PageEntry, PageSource } from "./page-source.js";

/** Changes of the pages since the last scan. */
export interface PageChanges {
  /** New pages and pages of another size or time, sorted. */
  readonly changed: readonly string[];
  /** Removed pages, sorted. */
  readonly removed: readonly string[];
}

/** Options for {@link followPages}. */
export interface FollowOptions {
  /** Stops following; the iteration then ends without an error. */
  readonly signal: AbortSignal;
  /** Time between two scans, in milliseconds: 1 or more.
   *
   * @default 2_000
   */
  readonly intervalMs?: number;
  /** Known pages, to which changes are relative. Default: the first scan. */
  readonly since?: readonly PageEntry[];
}

/**
 * Scans the pages repeatedly and reports changes, by size and modification time.
 *
 * Scanning works on every file system, including network folders and container mounts, where
 * watching does not. A scan that fails reports nothing and is repeated. No timer is left behind,
 * and waiting does not keep the process alive.
 *
 * @throws {RangeError} For an interval outside its range, when the iteration begins.
 */
export async function* followPages(
  source: PageSource,
  options: FollowOptions,
): AsyncGenerator<PageChanges, void, undefined> {
  const { signal, intervalMs = 2_000, since } = options;
  let known = since ?? (await lookOrNothing(source, signal));
  while (await waitOrAbort(intervalMs, signal)) {
    const seen = await lookOrNothing(source, signal);
    if (seen === undefined) continue;
    const changes = changesBetween(known ?? [], seen);
    known = seen;
    if (changes.changed.length > 0 || changes.removed.length > 0) yield changes;
  }
}

/** Compares two listings. */
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
 * @returns `false` when the signal has aborted.
 * @throws {RangeError} For an interval outside its range.
 */
export async function waitOrAbort(intervalMs: number, signal: AbortSignal): Promise<boolean> {
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
