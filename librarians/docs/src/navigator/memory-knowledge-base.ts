import { parseMarkdown } from "@constellation/retrieval";
import type { KnowledgeBaseView } from "./knowledge-base-view.js";
import { viewOfPages } from "./view-of-pages.js";

/**
 * A knowledge base from Markdown texts in memory, for tests and for checking an answer against a
 * handful of pages.
 *
 * @param pages - Text by path: `{ "deployment/ssl.md": "# SSL\n…" }`.
 */
export function createMemoryKnowledgeBase(
  pages: Readonly<Record<string, string>>,
): KnowledgeBaseView {
  const parsed = Object.entries(pages).map(
    ([file, text]) => [file, parseMarkdown(text, { file })] as const,
  );
  return viewOfPages(new Map(parsed));
}
