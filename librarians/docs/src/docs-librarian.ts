import {
  type Health,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import { findDelegate } from "./delegate.js";
import { createFolderPageReader } from "./folder-page-reader.js";
import { checkOptions, type DocsLibrarianOptions, docsLibrarianDefaults } from "./options.js";
import { createPageIndex, type Pages } from "./page-index.js";
import type { PageReader } from "./page-reader.js";
import { findPassages, type Passages } from "./passages.js";
import { quote } from "./quote.js";
import type { RankedSection } from "./section-index.js";
import type { Section } from "./sections.js";

/** Highest confidence: that a page has every word of a question does not make it the answer. */
const mostConfidence = 0.95;
const answerLength = 4_000;
const longestQuote = 1_600;

/**
 * Creates a librarian that answers from Markdown pages, in the pages' own words.
 *
 * Answers with one to three sections, each under its page's title and heading, at most 4,000
 * characters, one source per section (`rollback.md#Roll back a release`), and their line numbers in
 * `metadata.sections`. Confidence is 0.95 times the share of the query's words that the sections
 * have, each word counted by how much it tells. Below `minConfidence` it delegates to a librarian
 * whose description fits, else the error is `NOT_FOUND` (`no-information`). Pages that cannot be
 * read give `DATA_SOURCE_ERROR`.
 *
 * The index is made at the first query and again when pages have changed. Needs no model.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createDocsLibrarian(options: DocsLibrarianOptions): LibrarianDefinition {
  const { root, pages, minConfidence, maxFiles, maxFileBytes, maxBytes, refreshMs, ...given } =
    checkOptions(options);
  const defaults = docsLibrarianDefaults;
  const info = { ...given, id: given.id ?? defaults.id };
  const least = minConfidence ?? defaults.minConfidence;
  const index = createPageIndex(pages ?? folder(root), {
    maxFiles: maxFiles ?? defaults.maxFiles,
    maxFileBytes: maxFileBytes ?? defaults.maxFileBytes,
    maxBytes: maxBytes ?? defaults.maxBytes,
    refreshMs: refreshMs ?? defaults.refreshMs,
  });

  const librarian: Librarian = async (query, context = {}) => {
    try {
      requireQuery(query);
      const current = await index.current(context);
      const passages = findPassages(query, current.index);
      const confidence = round(mostConfidence * passages.coverage);
      if (passages.ranked.length > 0 && confidence >= least) {
        return answer(passages, confidence, current);
      }
      const delegate = findDelegate(query, context.availableDelegates ?? [], info);
      return delegate === undefined ? { error: notFound(current).toInfo() } : { delegate };
    } catch (thrown) {
      const error = MeshError.from(thrown, info.id);
      return { error: { ...error.toInfo(), librarian: info.id } };
    }
  };

  return { ...info, librarian, health: (signal) => healthOf(() => index.current({ signal })) };
}

function folder(root: string | undefined): PageReader {
  if (root === undefined)
    throw new TypeError("root: expected the path of a folder, got undefined.");
  return createFolderPageReader(root);
}

function requireQuery(query: unknown): void {
  if (typeof query === "string" && query.trim() !== "") return;
  throw new MeshError("INVALID_QUERY", "The query is blank or not text.");
}

function answer({ ranked }: Passages, confidence: number, { index }: Pages): Response {
  const words = new Set(ranked.flatMap((each) => [...each.words]));
  const weightOf = (word: string) => (words.has(word) ? index.weightOf(word) : 0);
  const titles = ranked.map(({ section }) => titleOf(section));
  const room = Math.floor(answerLength / ranked.length) - 4;
  const quotes = ranked.map(({ section }, place) => {
    const title = titles[place] ?? "";
    const length = Math.min(longestQuote, room - title.length);
    return `${title}\n\n${quote(section, weightOf, length)}`;
  });
  return {
    answer: quotes.join("\n\n"),
    sources: sourcesOf(ranked, confidence),
    confidence,
    ...(confidence < 0.6 && { partial: true }),
    metadata: {
      sections: ranked.map(({ section: { path, heading, line, endLine } }) => ({
        file: path,
        ...(heading !== undefined && { heading }),
        line,
        endLine,
      })),
    },
  };
}

/** Names what the quote is about: `**Roll back a release › Check first** (rollback.md)`. */
function titleOf({ path, title, heading, above }: Section): string {
  const below = [...above, heading].filter((each) => each !== undefined && each !== title);
  return `**${[title, below.at(-1)].filter(Boolean).join(" › ").slice(0, 200)}** (\`${path.slice(-200)}\`)`;
}

function sourcesOf(ranked: readonly RankedSection[], confidence: number): Response["sources"] {
  const best = ranked[0]?.score ?? 1;
  return ranked.map(({ section: { path, heading }, score }) => ({
    name: heading === undefined ? path : `${path}#${heading}`,
    type: "document",
    relevance: round(confidence * (score / best)),
  }));
}

function notFound({ index, count, leftOut }: Pages): MeshError {
  const titles = [...new Set(index.sections.map(({ title }) => title))].slice(0, 5);
  const some = titles.length === 0 ? "" : ` They are about: ${titles.join("; ")}.`;
  const missing =
    leftOut.length === 0
      ? ""
      : ` Some pages were left out, ${leftOut[0]?.path} among them: see health().`;
  return new MeshError(
    "NOT_FOUND",
    `The ${count} ${count === 1 ? "page says" : "pages say"} nothing about it.`,
    {
      reason: "no-information",
      suggestion: `Ask in the words of the pages.${some}${missing}`,
    },
  );
}

async function healthOf(current: () => Promise<Pages>): Promise<Health> {
  const { count, leftOut } = await current();
  const [first] = leftOut;
  if (first !== undefined) {
    const message = `${count} pages; left out: ${first.path} (${first.why})${leftOut.length > 1 ? ` and ${leftOut.length - 1} more` : ""}.`;
    return { status: "degraded", message };
  }
  return count === 0
    ? { status: "degraded", message: "There are no Markdown pages." }
    : { status: "up", message: `${count} ${count === 1 ? "page" : "pages"}.` };
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}
