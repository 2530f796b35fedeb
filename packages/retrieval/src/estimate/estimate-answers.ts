import { type Embedder, embedChecked } from "../embeddings/embedder.js";
import { createAnalyzer } from "../lexical/analyzer.js";

/** Options for {@link estimateAnswers}. */
export interface EstimateOptions<Row, User> {
  /** What of a row can be answered from. Default: the row itself, which must be text. */
  readonly text?: ((row: Row) => string) | undefined;
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

interface ReadRow<Row> {
  readonly row: Row;
  readonly terms: ReadonlySet<string>;
  readonly text: string;
}

/**
 * Makes a `canAnswer` from what a librarian has: rows or texts. It reads them again when the list is another one, and
 * embeds them in the background.
 *
 * @param rows - The rows now, maximum 20,000 are read. The same array as before means that nothing has changed.
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
  { text = String, mayRead = () => true, embedder }: EstimateOptions<Row, User> = {},
): (probe: EstimateProbe<User>) => ContentEstimate {
  const analyzer = createAnalyzer();
  const readTerms = (of: string) => new Set(analyzer.terms(of).map((term) => term.text));
  let source: readonly Row[] | undefined;
  let read: readonly ReadRow<Row>[] = [];
  let vectors = new Map<ReadRow<Row>, Float32Array>();
  let version = 0;

  const embed = async (own: readonly ReadRow<Row>[], used: Embedder) => {
    const made = new Map<ReadRow<Row>, Float32Array>();
    for (let from = 0; from < own.length && read === own; from += batchSize) {
      const batch = own.slice(from, from + batchSize);
      const found = await embedChecked(
        used,
        batch.map((each) => each.text),
      );
      for (const [at, each] of batch.entries()) {
        const vector = found[at];
        if (vector !== undefined) made.set(each, vector);
      }
    }
    if (read === own) vectors = made;
  };
  const refresh = () => {
    const now = rows();
    if (now === source) return;
    source = now;
    version++;
    vectors = new Map();
    read = now.slice(0, maxRows).map((row) => {
      const own = text(row).slice(0, maxTextLength);
      return { row, text: own, terms: readTerms(own) };
    });
    if (embedder !== undefined) embed(read, embedder).catch(() => undefined); // words remain
  };
  if (embedder !== undefined) refresh();

  return ({ query, vector, user }) => {
    refresh();
    const own = read.filter(({ row }) => mayRead(row, user));
    const terms = [...readTerms(query.slice(0, maxTextLength))];
    const weights = terms.map((term) => rarity(count(own, term), own.length));
    const total = weights.reduce((sum, each) => sum + each, 0);
    const isComparable = vector !== undefined && vector.embedder === embedder?.id;
    let coverage = 0;
    let matches = 0;
    let similarity: number | undefined;
    for (const each of own) {
      let has = 0;
      for (const [at, term] of terms.entries()) if (each.terms.has(term)) has += weights[at] ?? 0;
      const share = total === 0 ? 0 : has / total;
      coverage = Math.max(coverage, share);
      if (share >= matchingShare) matches++;
      const values = isComparable ? vectors.get(each) : undefined;
      if (values === undefined || vector === undefined) continue;
      similarity = Math.max(similarity ?? -1, cosine(values, vector.values));
    }
    const chance = Math.max(
      coverage === 0 ? 0 : logistic(coverage - evenCoverage),
      similarity === undefined ? 0 : logistic(similarity - evenSimilarity),
    );
    return { chance, coverage, similarity, matches, version: String(version) };
  };
}

function count<Row>(rows: readonly ReadRow<Row>[], term: string): number {
  return rows.reduce((sum, { terms }) => sum + (terms.has(term) ? 1 : 0), 0);
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
