import {
  createSectionIndex,
  type MarkdownPage,
  type SectionIndexOptions,
} from "@constellation/retrieval";
import MiniSearch from "minisearch";
import type { QueryRun } from "./metrics.js";

/** Something that can be asked. */
export interface Engine {
  search(query: string): QueryRun;
}

/** Places that are scored, and some to stand in for excluded ones. */
const depth = 40;

/** The package, as it comes. */
export function sectionEngine(
  pages: readonly MarkdownPage[],
  options?: SectionIndexOptions,
): Engine {
  const index = createSectionIndex(options);
  for (const page of pages) index.set(page);
  return {
    search(query) {
      const { hits } = index.search(query, { limit: depth });
      return {
        results: hits.map(({ section }) => ({ file: section.file, section: section.heading })),
        score: Math.max(0, ...hits.slice(0, 1).map(({ share }) => share)),
      };
    },
  };
}

/** The baseline: minisearch with its defaults, over the same sections. */
export function miniSearchEngine(pages: readonly MarkdownPage[]): Engine {
  const sections = pages.flatMap((page) => page.sections.map((section) => ({ page, section })));
  const index = new MiniSearch({ fields: ["heading", "path", "title", "text"] });
  index.addAll(
    sections.map(({ page, section }, id) => ({
      id,
      heading: section.heading,
      path: section.headingPath.slice(0, -1).join(" "),
      title: page.title,
      text: section.markdown,
    })),
  );
  return {
    search(query) {
      const hits = index.search(query).slice(0, depth);
      return {
        results: hits.flatMap(({ id }) => {
          const found = sections[Number(id)];
          return found === undefined
            ? []
            : [{ file: found.section.file, section: found.section.heading }];
        }),
        score: hits[0]?.score ?? 0,
      };
    },
  };
}
