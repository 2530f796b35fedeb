import { entryVersion, formatForkKey, type HopBody, readBody, type ThreadBody } from "./entries.js";
import { plainRequest, readRequest } from "./journaled-request.js";
import type { JournalSettings } from "./settings.js";
import type { StoredEntry } from "./store.js";

/** What a run has recorded: its request as written, and its entries. */
interface RecordedRun {
  readonly request: string;
  readonly entries: readonly StoredEntry[];
}

/**
 * The record that a fork of a run begins with.
 *
 * @param at - Key of the hop, or id of a librarian: its first hop; `id~2` for its second.
 * @param query - What the hop is asked; `undefined`: the same as before.
 * @returns `undefined` where the hop is not found.
 */
export function forkRun(
  run: RecordedRun,
  at: string,
  query: string | undefined,
  writeBody: JournalSettings["writeBody"],
): RecordedRun | undefined {
  const fork = forkAt(run.entries, at);
  if (fork === undefined) return undefined;
  const { key, kept } = fork;
  if (query === undefined) return { request: run.request, entries: kept };
  if (key.includes("/")) {
    const body = writeBody({ v: entryVersion, query });
    const entry = { key: formatForkKey(key), phase: "outcome", kind: "fork", epoch: 1 } as const;
    return { request: run.request, entries: [...kept, { ...entry, at: Date.now(), body }] };
  }
  // The query of the first hop is that of the run.
  const request = plainRequest({ ...readRequest(run.request), query });
  return { request: writeBody(request, ["user"]), entries: kept.map(withoutCompletedQuery) };
}

/** A thread loses the completed form of the query that it was asked before. */
function withoutCompletedQuery(entry: StoredEntry): StoredEntry {
  const body = entry.kind === "thread" ? readBody<ThreadBody>(entry.body) : undefined;
  if (body === undefined) return entry;
  const { asked: _, ...thread } = body.thread;
  return { ...entry, body: JSON.stringify({ v: entryVersion, thread }) };
}

/**
 * The entries of a run that a fork keeps. It drops the hop, everything below it, and the hops above that called it
 * through `context.ask`, because their responses depend on it. A hop above that only delegated keeps its response.
 *
 * @param at - Key of the hop, or id of a librarian: its first hop; `id~2` for its second.
 * @returns Its key, and those entries; `undefined` where the hop is not found.
 */
function forkAt(
  entries: readonly StoredEntry[],
  at: string,
): { readonly key: string; readonly kept: readonly StoredEntry[] } | undefined {
  const hops = entries.filter(({ kind, phase }) => kind === "hop" && phase === "outcome");
  const forked = hops.find(({ key }) => key === at)?.key ?? nthHop(hops, at);
  if (forked === undefined) return undefined;
  const path = hops
    .filter(({ key }) => key === forked || forked.startsWith(`${key}/`))
    .sort((one, other) => one.key.length - other.key.length);
  const again = new Set<string>();
  for (const [index, { body }] of path.entries()) {
    const above = path[index - 1]?.key;
    if (above !== undefined && readBody<HopBody>(body)?.asked?.via === "ask") again.add(above);
  }
  const isForked = ({ key }: StoredEntry) =>
    key === forked || key.startsWith(`${forked}/`) || key.startsWith(`${forked} `);
  const isAgain = ({ key, kind }: StoredEntry) => kind === "hop" && again.has(key);
  return { key: forked, kept: entries.filter((each) => !isForked(each) && !isAgain(each)) };
}

/** @param at - Id of a librarian, and which of its hops, as they began: `k8s~2`. */
function nthHop(hops: readonly StoredEntry[], at: string): string | undefined {
  const [, id = "", number = "1"] = /^([^~]+)(?:~([1-9]\d{0,4}))?$/.exec(at) ?? [];
  const startOf = ({ body }: StoredEntry) => readBody<HopBody>(body)?.asked?.started ?? 0;
  const own = hops.filter(({ key }) => librarianIn(key) === id);
  return own.sort((one, other) => startOf(one) - startOf(other))[Number(number) - 1]?.key;
}

/** The id in `triage/k8s?XaS9dk2#2`: `k8s`. */
function librarianIn(key: string): string | undefined {
  return key.split("/").at(-1)?.split(/[?#]/, 1)[0];
}
