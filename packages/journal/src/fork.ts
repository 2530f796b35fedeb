import { type HopBody, readBody } from "./entries.js";
import type { StoredEntry } from "./store.js";

/**
 * The entries of a run without those that a fork asks for again: the hop, what is below it, and the hops above that
 * have asked for it and whose responses rest on its own. A hop above that has only delegated keeps its response.
 *
 * @param at - Key of the hop, or id of a librarian: its first hop; `id~2` for its second.
 * @returns Its key, and those entries; `undefined` where the hop is not found.
 */
export function forkAt(
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
