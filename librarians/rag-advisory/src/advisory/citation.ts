import { createHash } from "node:crypto";
import type { RAGSource } from "../contract/rag-response.js";
import { findForbidden } from "../rules/content-rules.js";
import type { Chunk } from "../store/vector-store.js";
import { toPlainName } from "./plain-text.js";

/** Names as they may be printed, by what the document said. */
const names = new Map<string, string>();
const maxNames = 1_000;

/**
 * Name of the source of a chunk, as every field of an advisory has it. One that is itself an order or
 * an advice is under the name of its document or, where that is no better, under a number.
 */
export function sourceName({ metadata: { source, document } }: Chunk): string {
  const key = JSON.stringify([source, document]);
  const known = names.get(key);
  if (known !== undefined) return known;
  const number = createHash("sha256").update(key).digest("hex").slice(0, 8);
  const name = [toPlainName(source), toPlainName(document)].find(isFitName) ?? `source ${number}`;
  if (names.size >= maxNames) names.clear();
  names.set(key, name);
  return name;
}

/** Whether a name can be in a text: it is there, and it is not an order, advice or praise. */
export function isFitName(name: string): boolean {
  return name !== "" && findForbidden(`(${name}).`).length === 0;
}

/** A sentence with its source in brackets before its full stop. */
export function cited(sentence: string, name: string): string {
  const [end = "."] = /[.!?]$/.exec(sentence) ?? [];
  const bare = /[.!?]$/.test(sentence) ? sentence.slice(0, -1) : sentence;
  return `${bare} (${name})${end}`;
}

/** Names of the sources of some chunks, the most frequent first, at most three. */
export function namesOfSources(chunks: readonly Chunk[]): string {
  const counts = new Map<string, number>();
  for (const chunk of chunks)
    counts.set(sourceName(chunk), (counts.get(sourceName(chunk)) ?? 0) + 1);
  const names = [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .map(([name]) => name);
  return names.length > 3
    ? `${names.slice(0, 3).join("; ")}; ${names.length - 3} more`
    : names.join("; ");
}

/**
 * The sources of some chunks, each once, in the order of the chunks, each with the date of its newest
 * chunk. One whose chunks have no date has the day it was retrieved.
 */
export function toSources(chunks: readonly Chunk[], now: number): readonly RAGSource[] {
  const today = new Date(now).toISOString().slice(0, 10);
  const sources = new Map<
    string,
    Omit<RAGSource, "date"> & { readonly date?: string | undefined }
  >();
  for (const chunk of chunks) {
    const name = sourceName(chunk);
    const known = sources.get(name);
    const url = known?.url ?? httpUrl(chunk.metadata.url);
    sources.set(name, {
      type: known?.type ?? chunk.metadata.sourceType ?? "THIRD_PARTY",
      name,
      ...(url !== undefined && { url }),
      date: newer(known?.date, fullDate(chunk.metadata.date)),
    });
  }
  return [...sources.values()].map((source) => ({ ...source, date: source.date ?? today }));
}

/** `2026-10` as the first day of it. */
export function fullDate(date: string | undefined): string | undefined {
  const [, year, month = "01", day = "01"] =
    /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?(?=$|T)/.exec(date ?? "") ?? [];
  if (year === undefined) return undefined;
  const full = `${year}-${month}-${day}`;
  const time = Date.parse(`${full}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== full
    ? undefined
    : full;
}

function newer(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}

function httpUrl(url: string | undefined): string | undefined {
  return url !== undefined && url.length <= 2_000 && /^https?:\/\/\S+$/i.test(url)
    ? url
    : undefined;
}
