import type { StoreQuery } from "../vector-store.js";
import type { FoundRow, StoreStatements, ValueStatistics } from "./statements.js";

/** Runs one statement; see `StoreStatements` for its rows. */
export type Run = <Row>(
  text: string,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
) => Promise<readonly Row[]>;

/** Rows that one statement compares word by word. */
const maxCandidates = 1_000;
/** Candidates for each chunk that is asked for: with fewer, common words are looked for too. */
const candidatesPerResult = 8;
/** Share of a word that is not among the most common ones. */
const rareShare = 0.001;

/** How long statistics of words are used before they are read again, in milliseconds. */
const statisticsMs = 60_000;

/** The statistics of one table, read once a minute: they change with an ANALYZE only. */
export interface WordShares {
  /** Shares of the chunks by lexeme, and the number of chunks. */
  read(signal: AbortSignal | undefined): Promise<Shares>;
  /** Number of chunks of a country, or of one of its cities, by these statistics; 1 where there are none. */
  estimateChunks(place: Pick<StoreQuery, "country" | "city" | "signal">): Promise<number>;
  /** Has them read again: the table was analyzed. */
  forget(): void;
}

interface Shares {
  readonly words?: ReadonlyMap<string, number> | undefined;
  readonly countries?: ReadonlyMap<string, number> | undefined;
  readonly cities?: ReadonlyMap<string, number> | undefined;
  readonly chunks: number;
}

/** Creates the statistics of a table, which are read when they are first needed. */
export function createWordShares(run: Run, statements: StoreStatements): WordShares {
  let known: (Shares & { readonly atMs: number }) | undefined;
  const shares: WordShares = {
    async estimateChunks({ country, city, signal }) {
      const { countries, cities, chunks } = await shares.read(signal);
      // What a filter leaves: of a city that is not among the most common ones little.
      const share =
        city === undefined ? (countries?.get(country) ?? 1) : (cities?.get(city) ?? rareShare);
      return Math.max(1, chunks * share);
    },
    async read(signal) {
      const atMs = performance.now();
      if (known !== undefined && atMs - known.atMs < statisticsMs) return known;
      const rows = await run<ValueStatistics>(statements.statistics, [], signal);
      const selectShares = (wanted: string) =>
        new Map(
          rows.flatMap(({ column, value, share }) =>
            column !== wanted || value === null || share === null ? [] : [[value, share] as const],
          ),
        );
      const [words, countries, cities] = ["search", "country", "city"].map(selectShares);
      known = { words, countries, cities, chunks: Math.max(1, rows[0]?.chunks ?? 0), atMs };
      return known;
    },
    forget() {
      known = undefined;
    },
  };
  return shares;
}

interface WeightedLexeme {
  readonly lexeme: string;
  readonly share: number;
  /** What it counts in the score; all of a query together count 1. */
  readonly weight: number;
}

/**
 * Finds the chunks that have most of some words, rare words counting more. The index is asked for
 * the rarest words first: a chunk that has only words that most chunks have is found when there are
 * too few others.
 *
 * @param words - Words parted by spaces, nothing else.
 */
export async function searchWords(
  run: Run,
  statements: StoreStatements,
  wordShares: WordShares,
  words: string,
  { country, city, limit, signal }: Omit<StoreQuery, "text">,
): Promise<readonly FoundRow[]> {
  const { words: shares, chunks } = await wordShares.read(signal);
  const left = await wordShares.estimateChunks({ country, city, signal });
  const read = await run<{ lexeme: string }>(statements.lexemes, [words], signal);
  const lexemes = weigh(
    read.map(({ lexeme }) => lexeme),
    shares,
    chunks,
  );
  const asked = JSON.stringify(lexemes.map(({ lexeme, weight }) => ({ lexeme, weight })));
  const found = new Map<string, FoundRow>();
  for (const candidates of candidateQueries(lexemes, left, limit * candidatesPerResult)) {
    const rows = await run<FoundRow>(
      statements.searchWords,
      [candidates, country, city ?? null, limit, asked, maxCandidates],
      signal,
    );
    // What rarer words have found goes first among equals.
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
    if (found.size >= limit) break;
  }
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

/** Lexemes with their weights, the rarest first. */
function weigh(
  lexemes: readonly string[],
  shares: ReadonlyMap<string, number> | undefined,
  chunks: number,
): readonly WeightedLexeme[] {
  const known = lexemes.map((lexeme) => {
    const share = shares?.get(lexeme) ?? rareShare;
    const having = share * chunks;
    // As BM25 weighs words; without statistics all alike.
    const rarity = Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
    return { lexeme, share, rarity };
  });
  const sum = known.reduce((total, { rarity }) => total + rarity, 0) || 1;
  return known
    .map(({ lexeme, share, rarity }) => ({ lexeme, share, weight: rarity / sum }))
    .sort((a, b) => a.share - b.share || (a.lexeme < b.lexeme ? -1 : 1));
}

/**
 * Queries for candidates, each with more words than the one before; the last has all. Where even the
 * rarest word is common, the first one asks for chunks that have every word.
 */
function* candidateQueries(
  lexemes: readonly WeightedLexeme[],
  chunks: number,
  wanted: number,
): Generator<string> {
  const quoted = lexemes.map(
    ({ lexeme }) => `'${lexeme.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`,
  );
  if (quoted.length === 0) return;
  if (quoted.length > 1 && (lexemes[0]?.share ?? 0) * chunks > maxCandidates) {
    yield quoted.join(" & ");
  }
  let expected = 0;
  let target = wanted;
  for (const [at, { share }] of lexemes.entries()) {
    expected += share * chunks;
    const next = lexemes[at + 1];
    // The index gives no more than `maxCandidates`, in no order: a common word must not hide rarer ones.
    const isEnough = expected >= target || expected + (next?.share ?? 0) * chunks > maxCandidates;
    if (next !== undefined && !isEnough) continue;
    yield quoted.slice(0, at + 1).join(" | ");
    target = expected * 8;
  }
}
