import type { MarkdownPage } from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./knowledge-base-view.js";

/** The view of pages by their paths. A path without a page has no sections. */
export function viewOfPages(
  pages: ReadonlyMap<string, MarkdownPage | undefined>,
): KnowledgeBaseView {
  return {
    files: () => [...pages.keys()],
    hasFile: (path) => pages.has(path),
    sections: (path) =>
      (pages.get(path)?.sections ?? []).map(({ heading, headingPath, anchor, markdown }) => ({
        heading,
        headingPath,
        anchor,
        text: markdown,
      })),
  };
}
