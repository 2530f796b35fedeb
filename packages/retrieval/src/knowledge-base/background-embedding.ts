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
        vectors.keepOnly((id) => index.section(id) !== undefined);
        const isCurrent = (id: string, section: unknown) => index.section(id) === section;
        await vectors.add(wanted, isCurrent, signal);
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
    return index
      .pages()
      .flatMap(({ file, sections }) =>
        sections.map((section, place) => [sectionId(file, place), section] as const),
      )
      .filter(([id]) => !vectors.index.has(id));
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
