import { type Analyzer, createAnalyzer } from "./analyzer.js";
import { type CollectionView, createCollection } from "./collection.js";
import {
  createDocumentReader,
  createVocabulary,
  type DocumentTable,
  documentAt,
  type LexicalDocument,
} from "./documents.js";
import type { LexicalHit, LexicalResult, LexicalSearchOptions, QueryFacts } from "./hit.js";
import { type AnalyzedQuery, analyzeQuery } from "./query.js";
import { looked, rerank } from "./rerank.js";
import { createScorer, k1, type Scorer } from "./score.js";
import { maxFields, maxSegmentDocuments, type Postings } from "./segment.js";
import type { Synonyms } from "./synonyms.js";
import { type Candidate, takeBest } from "./take-best.js";
import { atOnce, inTurns, type Steps } from "./turns.js";

/** Ranking options of one field. */
export interface FieldOptions {
  /** Weight of words in this field, relative to the other fields. Above 0. */
  readonly weight: number;
  /** Length normalisation (b): 0 for none, 1 for proportional to the length.
   *
   * @default 0.6
   */
  readonly b?: number;
}

/** Options for {@link createLexicalIndex}. */
export interface LexicalIndexOptions {
  /** The fields of the documents, 1 to 16, by name. */
  readonly fields: Readonly<Record<string, FieldOptions>>;
  /**
   * Reads documents and queries.
   *
   * @default `createAnalyzer()`
   */
  readonly analyzer?: Analyzer;
  /** Weight of the parent's score, that of all its documents together, in the document's score.
   *
   * @default 0.3
   */
  readonly parentWeight?: number;
  /** The field that names a document. Where it is given, the best documents are reranked, also by it. */
  readonly titleField?: string;
  /** Weight of a query term, as the analyzer writes it: 0 or more, 1 by default. */
  readonly termWeight?: (term: string) => number;
  /** Synonyms of terms, which count when the query's own words match little. Default: none. */
  readonly synonyms?: Synonyms;
}

/** An index of documents for full-text search. */
export interface LexicalIndex {
  /** Number of documents. */
  readonly size: number;
  /** Adds documents, replacing those with the same id. */
  add(documents: Iterable<LexicalDocument>): void;
  /** Removes a document; returns whether it existed. */
  remove(id: string): boolean;
  /** Removes all documents of a parent; returns their number. */
  removeParent(parent: string): number;
  /**
   * Searches the documents that match the query best. The order does not depend on when documents
   * were added. Only the first 8,000 characters of a query are read.
   */
  search(query: string, options?: LexicalSearchOptions): LexicalResult;
  /** The same in turns of the event loop, which it never blocks for long. */
  searchInTurns(query: string, options?: LexicalSearchOptions): Promise<LexicalResult>;
  /** Ids of the documents of a parent, in the order in which they were added. */
  idsOf(parent: string): readonly string[];
  /** Number of terms that a snapshot of the whole index has. It never becomes less. */
  readonly termCount: number;
  /** A snapshot for a store: of the whole index, or of some parents with some of the terms. */
  snapshot(part?: SnapshotPart): IndexSnapshot;
  /** Adds what a snapshot has: its terms are numbered from `termCount` on, and its documents replace those with the same id. */
  restore(snapshot: IndexSnapshot): void;
}

/** What a snapshot has of an index. */
export interface SnapshotPart {
  /** Parents of the documents. */
  readonly parents: readonly string[];
  /** The first term, and the one behind the last. */
  readonly firstTerm: number;
  readonly endTerm: number;
}

/** The state of an index as plain data. */
export interface IndexSnapshot {
  readonly terms: readonly string[];
  readonly documents: DocumentTable;
  /** Postings of the documents, where there are enough of them to be searched as they are. */
  readonly postings?: Postings | undefined;
}

/** Below this share of the maximum score, synonyms are used. */
const littleMatch = 0.25;

/** Creates an empty index, ranked by BM25F combined with the parent's score.
 *
 * Documents are indexed as they are added, a thousand at a time; the first search after a change indexes the remainder.
 *
 * @throws {TypeError} For a document with a field the index does not have.
 * @throws {RangeError} For options outside their ranges.
 */
export function createLexicalIndex(
  options: LexicalIndexOptions,
  snapshot?: IndexSnapshot,
): LexicalIndex {
  const { analyzer = createAnalyzer() } = options;
  const names = Object.keys(options.fields);
  if (names.length === 0 || names.length > maxFields) {
    throw new RangeError(`fields: expected 1 to ${maxFields}, got ${names.length}`);
  }
  const { parentWeight = 0.3 } = options;
  const weights = names.map((name) => options.fields[name]?.weight ?? 1);
  const bs = names.map((name) => options.fields[name]?.b ?? 0.6);

  const titleField = names.indexOf(options.titleField ?? "");

  const vocabulary = createVocabulary();
  const readDocument = createDocumentReader(names, analyzer, vocabulary);
  const collection = createCollection(names.length);
  let scorer: { readonly view: CollectionView; readonly scorer: Scorer } | undefined;
  if (snapshot !== undefined) restore(snapshot);

  function restore({ terms, documents, postings }: IndexSnapshot): void {
    for (const term of terms) vocabulary.add(term);
    const { ids } = documents;
    if (postings !== undefined && ids.every((id) => !collection.has(id))) {
      collection.putAll(documents, postings);
      return;
    }
    for (let place = 0; place < ids.length; place++) {
      const document = documentAt(documents, place);
      if (document !== undefined) collection.put(document);
    }
  }

  function getScorer(view: CollectionView): Scorer {
    if (scorer?.view !== view) {
      scorer = { view, scorer: createScorer(view, { weights, bs, parentWeight }) };
    }
    return scorer.scorer;
  }

  function search(text: string, given: LexicalSearchOptions = {}): LexicalResult {
    given.signal?.throwIfAborted();
    return atOnce(steps(text, given));
  }

  function* steps(
    text: string,
    { limit = 10, filter: isWanted }: LexicalSearchOptions,
  ): Steps<LexicalResult> {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new RangeError(`limit: expected an integer of 1 or more, got ${limit}`);
    }
    const view = collection.view();
    const scorer = getScorer(view);
    const query = analyzeQuery(
      text,
      analyzer,
      vocabulary,
      view.statistics,
      options.termWeight,
      options.synonyms,
    );
    const bound = maxScore(query, parentWeight);
    function* rank(isWidened: boolean) {
      const best = takeBest(Math.max(limit, looked));
      let matched = 0;
      yield* scorer.score(
        query,
        (slot, own, parent) => {
          const score = own + parentWeight * parent;
          // Most documents are far from the best, so no candidate is created for them.
          const isKept = best.accepts(score);
          if (!isKept && isWanted === undefined) {
            matched++;
            return;
          }
          const id = view.id(slot);
          if (isWanted !== undefined && !isWanted(id)) return;
          matched++;
          if (isKept) best.offer({ slot, id, score });
        },
        isWidened,
      );
      const first = best
        .taken()
        .map((each) => ({ ...each, lexical: each.score }))
        .sort(byScore);
      yield;
      const look = { titleField, isWidened };
      const ranked = titleField < 0 ? first : rerank(first, query, view, scorer.parentOf, look);
      return { ranked, matched };
    }
    yield;
    const byOwnWords = yield* rank(false);
    const isLittle = (byOwnWords.ranked[0]?.lexical ?? 0) < littleMatch * bound;
    const isWider = isLittle && query.terms.some(({ synonyms }) => synonyms.length > 0);
    const { ranked, matched } = isWider ? yield* rank(true) : byOwnWords;
    const hits = ranked
      .slice(0, limit)
      .map((each): LexicalHit => describeHit(each, query, view, bound));
    return {
      hits,
      facts: collectFacts(query, { bound, matched, documents: view.statistics.size }),
    };
  }

  return {
    get size() {
      return collection.size;
    },
    add(added) {
      for (const document of added) {
        const stray = Object.keys(document.fields).find((name) => !names.includes(name));
        if (stray !== undefined) {
          throw new TypeError(
            `Document "${document.id}" has a field "${stray}"; expected one of ${names.join(", ")}.`,
          );
        }
        collection.put(readDocument(document));
      }
    },
    remove: (id) => collection.take(id),
    removeParent: (parent) => collection.takeParent(parent),
    idsOf: (parent) => collection.idsOf(parent),
    get termCount() {
      return vocabulary.texts.length;
    },
    snapshot(part) {
      if (part === undefined) {
        return { terms: [...vocabulary.texts], documents: collection.documents() };
      }
      const ids = part.parents.flatMap((parent) => collection.idsOf(parent));
      const documents = collection.documents(ids);
      const count = documents.ids.length;
      const hasPostings = 2 * count > maxSegmentDocuments && count <= maxSegmentDocuments;
      return {
        terms: vocabulary.texts.slice(part.firstTerm, part.endTerm),
        documents,
        postings: hasPostings ? collection.postingsOf(documents) : undefined,
      };
    },
    restore,
    search,
    async searchInTurns(text, given = {}) {
      given.signal?.throwIfAborted();
      const view = collection.view();
      const result = await inTurns(steps(text, given), given.signal);
      // Documents that changed meanwhile are searched again, without another chance for changes.
      return collection.view() === view ? result : search(text, given);
    },
  };
}

function byScore(
  a: { readonly id: string; readonly score: number },
  b: { readonly id: string; readonly score: number },
): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

/** The score of a document that has every term without end, in a parent that has. */
function maxScore({ terms }: AnalyzedQuery, parentWeight: number): number {
  const words = terms.reduce((sum, { idf, weight }) => sum + idf * weight, 0);
  return (k1 + 1) * words * (1 + parentWeight);
}

function describeHit(
  { slot, id, score, lexical }: Candidate & { readonly lexical: number },
  { terms: sought }: AnalyzedQuery,
  view: CollectionView,
  bound: number,
): LexicalHit {
  const document = view.document(slot);
  const present = new Set<number | undefined>(document?.stream);
  const terms = sought.filter(({ number }) => present.has(number));
  const all = sumOfIdfs(sought);
  return {
    id,
    parent: document?.parent,
    score,
    share: bound === 0 ? 0 : Math.min(1, lexical / bound),
    coverage: all === 0 ? 0 : sumOfIdfs(terms) / all,
    terms: terms.map(({ text }) => text),
  };
}

function sumOfIdfs(terms: AnalyzedQuery["terms"]): number {
  return terms.reduce((sum, { idf }) => sum + idf, 0);
}

function collectFacts(
  query: AnalyzedQuery,
  counted: Pick<QueryFacts, "bound" | "matched" | "documents">,
): QueryFacts {
  const all = sumOfIdfs(query.terms);
  const known = sumOfIdfs(query.terms.filter(({ number }) => number !== undefined));
  return {
    language: query.language,
    terms: query.terms.map(({ synonyms, text, frequency, idf }) => {
      return { text, frequency, idf, synonyms: synonyms.map((each) => each.text) };
    }),
    known: all === 0 ? 0 : known / all,
    ...counted,
  };
}
