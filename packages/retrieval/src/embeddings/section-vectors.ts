import type { Section } from "../markdown/page.js";
import { type Embedder, embedChecked } from "./embedder.js";
import { type Comparison, createVectorIndex, type VectorIndex } from "./vector-index.js";

/** Vectors of sections, kept in step with an index. */
export interface SectionVectors {
  readonly index: VectorIndex;
  /**
   * Embeds sections that have no vector yet. Rejects when the embedder fails; finished vectors are
   * kept.
   *
   * @param current - The section with an id when its vector arrives: one with another text gets none.
   */
  add(
    sections: readonly (readonly [id: string, section: Section])[],
    current: (id: string) => Section | undefined,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Drops the vectors of sections that `isKept` does not know. */
  keepOnly(isKept: (id: string) => boolean): void;
  /** Compares all sections with a query. */
  compare(
    query: string,
    limit: number,
    isWanted?: (id: string) => boolean,
    signal?: AbortSignal,
  ): Promise<Comparison>;
}

/** Maximum number of characters of a section that are embedded: models read some 512 tokens. */
const embeddedLength = 2_000;
const batch = 16;

/** Creates vectors for sections. */
export function createSectionVectors(embedder: Embedder): SectionVectors {
  const index = createVectorIndex(embedder.dimensions);
  return {
    index,
    async add(sections, current, signal) {
      const missing = sections.filter(([id]) => !index.has(id));
      for (let from = 0; from < missing.length; from += batch) {
        const part = missing.slice(from, from + batch);
        const vectors = await embedChecked(
          embedder,
          part.map(([, section]) => embeddedText(section)),
          signal,
        );
        part.forEach(([id, section], place) => {
          const vector = vectors[place];
          const now = current(id);
          if (vector === undefined || now === undefined) return;
          if (now === section || embeddedText(now) === embeddedText(section)) index.set(id, vector);
        });
      }
    },
    keepOnly(isKept) {
      for (const id of index.ids()) if (!isKept(id)) index.remove(id);
    },
    async compare(query, limit, isWanted, signal) {
      const [vector = new Float32Array(embedder.dimensions)] = await embedChecked(
        embedder,
        [query.slice(0, embeddedLength)],
        signal,
      );
      return index.compare(vector, limit, isWanted);
    },
  };
}

function embeddedText(section: Section): string {
  return `${section.headingPath.join(" > ")}\n${section.text}`.slice(0, embeddedLength);
}
