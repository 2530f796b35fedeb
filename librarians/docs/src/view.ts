import type { KnowledgeBase } from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./navigator/knowledge-base-view.js";
import { viewOfPages } from "./navigator/view-of-pages.js";

/** Creates a snapshot of the pages for the validator; it does not reflect later changes. */
export function createView(base: KnowledgeBase): KnowledgeBaseView {
  return viewOfPages(new Map(base.files().map((file) => [file, base.page(file)])));
}
