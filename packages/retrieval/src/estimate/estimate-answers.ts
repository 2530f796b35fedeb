import { type Embedder, embedChecked } from "../embeddings/embedder.js";
import { createAnalyzer } from "../lexical/analyzer.js";

/** Options for {@link estimateAnswers}. */
export interface EstimateOptions<Row, User> {
  /** What of a row can be answered from. Default: the row itself, which must be text. */
  readonly text?: ((row: Row) => string) | undefined;
  /** Words that belong to every row, such as the librarian's description where rows are names. Default: none. */
  readonly about?: string | undefined;
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
/** Share of the query's words from which on a row matches. */
const matchingShare = 0.3;
/** Rows that are embedded at once: few, so that a query can run in between. */
const batchSize = 8;
/** Cosine at which a text is as likely an answer as not, and how fast that changes. */
const evenSimilarity = 0.5;
const steepness = 12;
/** Coverage of the query's words at which it is. */
const evenCoverage = 0.7;

/** Rows as they are searched: which of them have a word, by their places. */
interface ReadRows<Row> {
  readonly rows: readonly Row[];
  readonly texts: readonly string[];
  readonly postings: ReadonlyMap<string, readonly number[]>;
}

/**
 * Makes a `canAnswer` from what a librarian has: rows or texts. It reads them again when the list is another one, and
 * embeds them in the background.
 *
 * @param rows - The rows now, maximum 20,000 are read. The same array as before means that nothing has changed, and
 *   `undefined` that they are not read yet: there is no estimate then.
 *
 * @example
 * ```ts
 * const faq = ["Returns are free within 30 days.", "Parcels arrive in two days."];
 * const canAnswer = estimateAnswers(() => faq);
 * router.register({ id: "faq", description: "Shop questions", librarian, canAnswer });
 * ```
 */
export function estimateAnswers<Row = string, User = unknown>(
  rows: () => readonly Row[],
  options?: EstimateOptions<Row, User>,
): (probe: EstimateProbe<User>) => ContentEstimate;
export function estimateAnswers<Row = string, User = unknown>(
  rows: () => readonly Row[] | undefined,
  options?: EstimateOptions<Row, User>,
): (probe: EstimateProbe<User>) => ContentEstimate | undefined;
export function estimateAnswers<Row = string, User = unknown>(
  rows: () => readonly Row[] | undefined,
  { text = String, about = "", mayRead, embedder }: EstimateOptions<Row, User> = {},
): (probe: EstimateProbe<User>) => ContentEstimate | undefined {
  const analyzer = createAnalyzer();
  const readTerms = (of: string) => new Set(analyzer.terms(of).map((term) => term.text));
  const aboutTerms = readTerms(about);
  let source: readonly Row[] | undefined;
  let read: ReadRows<Row> | undefined;
  let vectors: readonly (Float32Array | undefined)[] = [];
  let version = 0;

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
    read = now && readRows(now.slice(0, maxRows), text, readTerms);
    if (embedder !== undefined && read !== undefined) embed(read, embedder).catch(() => undefined); // words remain
  };
  if (embedder !== undefined) refresh();

  return ({ query, vector, user }) => {
    refresh();
    if (read === undefined) return undefined;
    const { rows: all, postings } = read;
    const isOpen =
      mayRead === undefined ? undefined : all.map((row) => mayRead(row, user) === true);
    const size = isOpen === undefined ? all.length : isOpen.filter(Boolean).length;
    const shares = new Map<number, number>();
    let total = 0;
    let common = 0;
    let anywhere = 0;
    for (const term of readTerms(query.slice(0, maxTextLength))) {
      const own = postings.get(term) ?? [];
      const places = isOpen === undefined ? own : own.filter((place) => isOpen[place]);
      const isAbout = own.length === 0 && aboutTerms.has(term); // a name among its examples is still a name
      const weight = rarity(isAbout ? size : places.length, size);
      total += weight;
      if (isAbout || places.length > 0) anywhere += weight;
      if (isAbout) common += weight;
      else for (const place of places) shares.set(place, (shares.get(place) ?? 0) + weight);
    }
    let best = 0;
    let matches = 0;
    for (const weight of shares.values()) {
      best = Math.max(best, weight);
      if (weight + common >= matchingShare * total) matches++;
    }
    const together = total === 0 || size === 0 ? 0 : (best + common) / total;
    const coverage = total === 0 || size === 0 ? 0 : (together + anywhere / total) / 2;
    const isComparable = vector !== undefined && vector.embedder === embedder?.id;
    let similarity: number | undefined;
    if (isComparable)
      for (const [place, values] of vectors.entries())
        if (values !== undefined && isOpen?.[place] !== false)
          similarity = Math.max(similarity ?? -1, cosine(values, vector.values));
    const chance = Math.max(
      together === 0 ? 0 : logistic(together - evenCoverage),
      similarity === undefined ? 0 : logistic(similarity - evenSimilarity),
    );
    return { chance, coverage, similarity, matches, version: String(version) };
  };
}

function readRows<Row>(
  rows: readonly Row[],
  text: (row: Row) => string,
  readTerms: (text: string) => ReadonlySet<string>,
): ReadRows<Row> {
  const texts = rows.map((row) => text(row).slice(0, maxTextLength));
  const postings = new Map<string, number[]>();
  for (const [place, own] of texts.entries()) {
    for (const term of readTerms(own)) {
      const known = postings.get(term);
      if (known === undefined) postings.set(term, [place]);
      else known.push(place);
    }
  }
  return { rows, texts, postings };
}

/** Inverse document frequency, as BM25 has it. */
function rarity(frequency: number, size: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
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
 *
 * @returns The rows that were read last; `undefined` before, and where they could not be read.
 */
export function keepRows<Row>(
  read: () => Promise<readonly Row[]>,
): () => readonly Row[] | undefined {
  let rows: readonly Row[] | undefined;
  let dueAt = Number.NEGATIVE_INFINITY;
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
  return () => {
    if (performance.now() >= dueAt) void refresh();
    return rows;
  };
}
