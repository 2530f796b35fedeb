import type { Embedder } from "../embeddings/embedder.js";
import type { VectorIndex } from "../embeddings/vector-index.js";
import type { PageEntry } from "../folder/page-source.js";
import { createAnalyzer } from "../lexical/analyzer.js";
import {
  type SectionIndex,
  type SectionIndexOptions,
  sectionFields,
} from "../sections/section-index.js";
import {
  decodeKnowledge,
  encodeKnowledge,
  type LoadedKnowledge,
  type StoreProblem,
} from "../store/codec.js";
import type { IndexStore } from "../store/index-store.js";

/** Content of a store. */
export interface OpenedStore {
  readonly knowledge: LoadedKnowledge | undefined;
  /** Why it is not used. Removed once reported. */
  problem: StoreProblem | undefined;
  /** Restores the stored vectors, if they are from this embedder. */
  fill(embedder: Embedder, vectors: VectorIndex | undefined): void;
}

/** Increased whenever parsing changes, because a stored index contains parsed sections. */
const parserVersion = "markdown-5";

/** Reads a store. Rejects only with the signal's reason. */
export async function loadKnowledge(
  store: IndexStore | undefined,
  ranking: SectionIndexOptions | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenedStore> {
  const nothing = (problem?: StoreProblem): OpenedStore => ({
    knowledge: undefined,
    problem,
    fill() {},
  });
  let bytes: Uint8Array | undefined;
  try {
    bytes = await store?.load(signal);
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    return nothing("unreadable");
  }
  if (bytes === undefined) return nothing();
  const decoded = decodeKnowledge(bytes, createFingerprint(ranking));
  if ("problem" in decoded) return nothing(decoded.problem);
  return {
    knowledge: decoded,
    problem: undefined,
    fill({ id, dimensions }, index) {
      const { vectors } = decoded;
      if (vectors?.embedder !== id || vectors.dimensions !== dimensions) return;
      vectors.ids.forEach((each, place) => {
        index?.set(each, vectors.rows.subarray(place * dimensions, (place + 1) * dimensions));
      });
    },
  };
}

/** The state of an index. */
export interface KnowledgeState {
  readonly entries: readonly PageEntry[];
  readonly index: SectionIndex;
  readonly embedder: Embedder | undefined;
  readonly vectors: VectorIndex | undefined;
}

/** Captures the current state of an index, and returns a function that encodes it for a store. */
export function createEncoder(
  ranking: SectionIndexOptions | undefined,
  { entries, index, embedder, vectors }: KnowledgeState,
): () => Promise<Uint8Array> {
  const kept =
    embedder === undefined || vectors === undefined ? {} : { vectors: toRows(embedder, vectors) };
  const knowledge = { entries, pages: index.pages(), snapshot: index.snapshot(), ...kept };
  return () => encodeKnowledge(knowledge, createFingerprint(ranking));
}

/** Fingerprint of all options that the stored terms depend on; weights are not included. */
function createFingerprint(ranking: SectionIndexOptions = {}): string {
  const { analyzer = createAnalyzer() } = ranking;
  return [parserVersion, analyzer.id, ...Object.keys(sectionFields)].join(" ");
}

function toRows({ id, dimensions }: Embedder, vectors: VectorIndex) {
  const ids = vectors.ids();
  const rows = new Float32Array(ids.length * dimensions);
  ids.forEach((each, place) => {
    const vector = vectors.get(each);
    if (vector !== undefined) rows.set(vector, place * dimensions);
  });
  return { embedder: id, dimensions, ids, rows };
}
