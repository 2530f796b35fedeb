import { EmbedderError } from "../embeddings/embedder.js";
import type { SectionVectors } from "../embeddings/section-vectors.js";
import { sectionId } from "../sections/section-documents.js";
import type { SectionIndex } from "../sections/section-index.js";

/** Embeds sections in the background while searches continue. */
export interface BackgroundEmbedding {
  /** Embeds sections without a vector; when a pass is running, another one follows it. */
  request(): void;
  /** Resolves when embedding is idle, with whether all sections have vectors. */
  settled(): Promise<boolean>;
}

/**
 * @param onEnd - Called after each pass with its error, if any, and the files of sections with new vectors.
 */
export function createBackgroundEmbedding(
  vectors: SectionVectors,
  index: SectionIndex,
  signal: AbortSignal,
  onEnd: (problem: string | undefined, files: ReadonlySet<string>) => void,
): BackgroundEmbedding {
  let isWanted = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      const wanted = missing();
      let problem: string | undefined;
      try {
        const known = new Set(index.files().flatMap(index.sectionIds));
        vectors.keepOnly((id) => known.has(id));
        await vectors.add(wanted, index.section, signal);
      } catch (thrown) {
        if (signal.aborted) break;
        problem = thrown instanceof EmbedderError ? thrown.message : "The embedder failed.";
      }
      const added = wanted.filter(([id]) => vectors.index.has(id));
      onEnd(problem, new Set(added.map(([, section]) => section.file)));
    }
    running = undefined;
  }

  function missing() {
    const isMissing = (id: string) => !vectors.index.has(id);
    return index.files().flatMap((file) => {
      if (!index.sectionIds(file).some(isMissing)) return []; // its page is not read
      const sections = index.page(file)?.sections ?? [];
      return sections
        .map((section, place) => [sectionId(file, place), section] as const)
        .filter(([id]) => isMissing(id));
    });
  }

  return {
    request() {
      isWanted = true;
      running ??= run();
    },
    async settled() {
      await running;
      return vectors.index.size === index.size;
    },
  };
}
