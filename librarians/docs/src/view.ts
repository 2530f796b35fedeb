import type { KnowledgeBase } from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./navigator/knowledge-base-view.js";
import { viewOfPages } from "./navigator/view-of-pages.js";

/** The pages as they are now, for the validator: later changes are not seen in it. */
export function viewOf(base: KnowledgeBase): KnowledgeBaseView {
  return viewOfPages(new Map(base.files().map((file) => [file, base.page(file)])));
}
