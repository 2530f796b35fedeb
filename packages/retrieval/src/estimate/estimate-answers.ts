import {
  asksForFacts,
  createWordCover,
  readContentWords,
  type WordCover,
} from "@constellation/nlu";
import { type Embedder, embedChecked } from "../embeddings/embedder.js";

/** Options for {@link estimateAnswers}. */
export interface EstimateOptions<Row, User> {
  /** What of a row can be answered from. Default: the row itself, which must be text. */
  readonly text?: ((row: Row) => string) | undefined;
  /** Words that belong to every row, such as the librarian's description where rows are names. Default: none. */
  readonly about?: string | undefined;
  /**
   * Whether the rows are actions that the librarian proposes, as `about` tells. It does not answer a question for a fact
   * about what they are done to: "which node runs the most pods?". @default false
   */
  readonly areActions?: boolean | undefined;
  /** Whether a user may read a row: others are left out before anything is compared. Default: everyone may. */
  readonly mayRead?: ((row: Row, user: User | undefined) => boolean) | undefined;
  /** Adds similarity in meaning, for queries that come with a vector of the same embedder. */
  readonly embedder?: Embedder | undefined;
}

/** What an estimate is asked for. A probe of a router is one. */
export interface EstimateProbe<User> {
  readonly query: string;
  readonly vector?: { readonly embedder: string; readonly values: Float32Array } | undefined;
  readonly user?: User | undefined;
}

/** An estimate, from 0 to 1 each. A definition's `canAnswer` may return it. */
export interface ContentEstimate {
  readonly chance: number;
  readonly coverage: number;
  readonly similarity: number | undefined;
  readonly matches: number;
  readonly version: string;
}

/** Maximum number of rows that are read, and of characters of one of them. */
const maxRows = 20_000;
const maxTextLength = 2_000;
/** Rows that are embedded at once: few, so that a query can run in between. */
const batchSize = 8;
/** Cosine at which a text is as likely an answer as not, and how fast that changes. */
const evenSimilarity = 0.5;
const steepness = 12;
/** Coverage of the query's words at which it is. */
const evenCoverage = 0.7;
/** Likeness to a word of `about` from which on a word is one for actions. */
const minActionLikeness = 0.35;

/** Rows that take time to read: see {@link keepRows}. */
export interface KeptRows<Row> {
  /** The rows that were read last; `undefined` before, and where they could not be read. */
  (): readonly Row[] | undefined;
  /** Resolves when they were read for the first time, or could not be. */
  opened(): Promise<void>;
}

interface ReadRows<Row> {
  readonly rows: readonly Row[];
  readonly texts: readonly string[];
  readonly words: WordCover;
}

/**
 * Makes a `canAnswer` from what a librarian has: rows or texts. It reads them again when the list is another one, and
 * embeds them in the background.
 *
 * @param rows - The rows now, maximum 20,000 are read. The same array as before means that nothing has changed, and
 *   `undefined` that they are not read yet: there is no estimate then. The first estimate waits for rows of `keepRows`.
 *
 * @example
 * ```ts
 * const faq = ["Returns are free within 30 days.", "Parcels arrive in two days."];
 * const canAnswer = estimateAnswers(() => faq);
 * router.register({ id: "faq", description: "Shop questions", librarian, canAnswer });
 * ```
 */
export function estimateAnswers<Row = string, User = unknown>(
  rows: KeptRows<Row>,
  options?: EstimateOptions<Row, User>,
): (probe: EstimateProbe<User>) => Promise<ContentEstimate | undefined>;
export function estimateAnswers<Row = string, User = unknown>(
  rows: () => readonly Row[],
  options?: EstimateOptions<Row, User>,
): (probe: EstimateProbe<User>) => ContentEstimate;
export function estimateAnswers<Row = string, User = unknown>(
  rows: () => readonly Row[] | undefined,
  options?: EstimateOptions<Row, User>,
): (probe: EstimateProbe<User>) => ContentEstimate | undefined;
export function estimateAnswers<Row = string, User = unknown>(
  rows: (() => readonly Row[] | undefined) | KeptRows<Row>,
  {
    text = String,
    about = "",
    areActions = false,
    mayRead,
    embedder,
  }: EstimateOptions<Row, User> = {},
): (
  probe: EstimateProbe<User>,
) => ContentEstimate | undefined | Promise<ContentEstimate | undefined> {
  let source: readonly Row[] | undefined;
  let read: ReadRows<Row> | undefined;
  let vectors: readonly (Float32Array | undefined)[] = [];
  let version = 0;
  const aboutActions = areActions ? createWordCover([], about) : undefined;

  const embed = async (own: ReadRows<Row>, used: Embedder) => {
    const made: Float32Array[] = [];
    for (let from = 0; from < own.texts.length && read === own; from += batchSize)
      made.push(...(await embedChecked(used, own.texts.slice(from, from + batchSize))));
    if (read === own) vectors = made;
  };
  const refresh = () => {
    const now = rows();
    if (now === source) return;
    source = now;
    version++;
    vectors = [];
    read = now && readRows(now.slice(0, maxRows), text, about);
    if (embedder !== undefined && read !== undefined) embed(read, embedder).catch(() => undefined); // words remain
  };
  if (embedder !== undefined) refresh();

  const estimate = ({ query, vector, user }: EstimateProbe<User>): ContentEstimate | undefined => {
    refresh();
    if (read === undefined) return undefined;
    const asked = query.slice(0, maxTextLength);
    const isForFacts =
      aboutActions !== undefined &&
      asksForFacts(asked, (word) => aboutActions.likenessOf(word) >= minActionLikeness);
    const { rows: all, words } = read;
    const isOpen =
      mayRead === undefined ? undefined : all.map((row) => mayRead(row, user) === true);
    const mayCompare = (place: number) => isOpen?.[place] !== false;
    const isEmpty = all.length === 0 || isOpen?.includes(true) === false || isForFacts;
    const askedWords = isEmpty ? [] : readContentWords(asked);
    const { best, together, matches } = words.cover(askedWords, mayCompare);
    const isComparable = vector !== undefined && vector.embedder === embedder?.id;
    let nearest: number | undefined;
    if (isComparable && !isForFacts)
      for (const [place, values] of vectors.entries()) {
        if (values === undefined || !mayCompare(place)) continue;
        nearest = Math.max(nearest ?? -1, cosine(values, vector.values));
      }
    const chance = Math.max(
      best === 0 ? 0 : logistic(best - evenCoverage),
      nearest === undefined ? 0 : logistic(nearest - evenSimilarity),
    );
    return {
      chance,
      coverage: (best + together) / 2,
      similarity: nearest,
      matches,
      version: String(version),
    };
  };
  if (!("opened" in rows)) return estimate;
  return async (probe) => {
    await rows.opened();
    return estimate(probe);
  };
}

function readRows<Row>(
  rows: readonly Row[],
  text: (row: Row) => string,
  about: string,
): ReadRows<Row> {
  const texts = rows.map((row) => text(row).slice(0, maxTextLength));
  return { rows, texts, words: createWordCover(texts, about) };
}

function logistic(distance: number): number {
  return 1 / (1 + Math.exp(-steepness * distance));
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** Time after which what is kept is read again, in milliseconds, and after a failure. */
const freshMs = 60_000;
const retryMs = 10_000;

/**
 * Keeps rows that take time to read, such as the names in a cluster: they are read in the background when they are
 * first wanted, and again after a minute.
 */
export function keepRows<Row>(read: () => Promise<readonly Row[]>): KeptRows<Row> {
  let rows: readonly Row[] | undefined;
  let dueAt = Number.NEGATIVE_INFINITY;
  let first: Promise<void> | undefined;
  const refresh = async () => {
    dueAt = Number.POSITIVE_INFINITY; // while it is read
    try {
      const now = await read();
      // The same rows stay the same array: nothing is indexed again.
      if (JSON.stringify(now) !== JSON.stringify(rows)) rows = now;
      dueAt = performance.now() + freshMs;
    } catch {
      dueAt = performance.now() + retryMs;
    }
  };
  const current = () => {
    if (performance.now() >= dueAt) {
      const begun = refresh();
      first ??= begun;
    }
    return rows;
  };
  const opened = async () => {
    current();
    await first;
  };
  return Object.assign(current, { opened });
}
