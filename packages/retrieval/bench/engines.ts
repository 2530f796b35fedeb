import {
  createLexicalIndex,
  createSectionIndex,
  type MarkdownPage,
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
export function sectionEngine(pages: readonly MarkdownPage[]): Engine {
  const index = createSectionIndex();
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

/** The baseline of the same kind: BM25F with the weights of the package, over the same sections, and nothing else. */
export function bm25fEngine(pages: readonly MarkdownPage[]): Engine {
  const sections = pages.flatMap((page) => page.sections.map((section) => ({ page, section })));
  const index = createLexicalIndex({
    fields: {
      heading: { weight: 8, b: 0.6 },
      path: { weight: 1.5, b: 0.6 },
      title: { weight: 1.5, b: 0.9 },
      text: { weight: 1, b: 0.4 },
      code: { weight: 0.7, b: 0.6 },
    },
    parentWeight: 0,
  });
  index.add(
    sections.map(({ page, section }, id) => ({
      id: String(id),
      fields: {
        heading: section.heading,
        path: section.headingPath.slice(0, -1),
        title: [page.title, page.file.replaceAll(/[/_.-]+/g, " ")],
        text: section.text,
        code: section.blocks.filter(({ kind }) => kind === "code").map(({ text }) => text),
      },
    })),
  );
  return {
    search(query) {
      const { hits } = index.search(query, { limit: depth });
      return {
        results: hits.flatMap(({ id }) => {
          const found = sections[Number(id)];
          return found ? [{ file: found.section.file, section: found.section.heading }] : [];
        }),
        score: hits[0]?.share ?? 0,
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
