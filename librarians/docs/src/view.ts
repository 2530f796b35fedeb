import type { KnowledgeBase } from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./navigator/knowledge-base-view.js";

/** The pages as they are now, for the validator: what changes later is not seen in it. */
export function viewOf(base: KnowledgeBase): KnowledgeBaseView {
  const pagesByFile = new Map(base.files().map((file) => [file, base.page(file)]));
  return {
    files: () => [...pagesByFile.keys()],
    hasFile: (path) => pagesByFile.has(path),
    sections: (path) =>
      (pagesByFile.get(path)?.sections ?? []).map(({ heading, headingPath, anchor, markdown }) => ({
        heading,
        headingPath,
        anchor,
        text: markdown,
      })),
  };
}
