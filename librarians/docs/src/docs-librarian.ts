import { join } from "node:path";
import {
  type Context,
  type Health,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import {
  createAnalyzer,
  createFileStore,
  createMarkdownFolder,
  type PageSource,
} from "@constellation/retrieval";
import { createAnswerer } from "./answer.js";
import { createKnowledge, type Knowledge } from "./knowledge.js";
import { checkOptions, type DocsLibrarianOptions, docsLibrarianDefaults } from "./options.js";

/**
 * Creates a librarian that answers from Markdown pages and cites page and heading.
 *
 * Without a model the answer is in the pages' own words; with `context.ai` the model writes it from
 * the sections that were found, and it is checked before it leaves, else the pages' words stand. The
 * navigator response is in `metadata.navigator`. What lies outside its domain it delegates to whoever
 * fits, else the error is `NOT_FOUND` (`out-of-domain`, or `no-information` within the domain). Pages
 * that cannot be read give `DATA_SOURCE_ERROR`, a blank query `INVALID_QUERY`, and `TIMEOUT` a caller
 * that no longer waits.
 *
 * The pages are read from `start` on, or else from the first query on, and looked at again as they change.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createDocsLibrarian(options: DocsLibrarianOptions): LibrarianDefinition {
  const checked = checkOptions(options);
  const {
    root,
    pages,
    domain,
    include,
    exclude,
    limits,
    cache,
    refreshMs,
    recordContent,
    ...given
  } = checked;
  const info = { ...given, id: given.id ?? docsLibrarianDefaults.id };
  const knowledge = createKnowledge({
    source: pages ?? folder(checked),
    store: cache === undefined ? undefined : createFileStore(join(cache, `${info.id}.index`)),
    refreshMs: refreshMs ?? docsLibrarianDefaults.refreshMs,
  });
  const answer = createAnswerer({
    info,
    domain: domain ?? given.description,
    analyzer: createAnalyzer(),
    recordContent: recordContent ?? docsLibrarianDefaults.recordContent,
  });

  const librarian: Librarian = async (query, context = {}) => {
    try {
      requireQuery(query);
      const opened = await knowledge.current(context);
      return await answer(query, opened, context);
    } catch (thrown) {
      return { error: errorOf(thrown, context, info.id) };
    }
  };

  return {
    ...info,
    librarian,
    // Begins to read and does not wait: each query waits for as long as it has time.
    start: async () => knowledge.begin(),
    close: () => knowledge.close(),
    health: (signal) => healthOf(knowledge, signal),
  };
}

function folder({ root, include, exclude, limits }: DocsLibrarianOptions): PageSource {
  if (root === undefined)
    throw new TypeError("root: expected the path of a folder, got undefined.");
  return createMarkdownFolder(root, {
    ...limits,
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
  });
}

function requireQuery(query: unknown): void {
  if (typeof query === "string" && query.trim() !== "") return;
  throw new MeshError("INVALID_QUERY", "The query is blank or not text.");
}

function errorOf(thrown: unknown, { signal }: Context, id: string): NonNullable<Response["error"]> {
  const cause =
    signal?.aborted === true && signal.reason instanceof MeshError ? signal.reason : thrown;
  const error = MeshError.from(cause, id);
  return { ...error.toInfo(), librarian: id };
}

async function healthOf(knowledge: Knowledge, signal: AbortSignal): Promise<Health> {
  const { base } = await knowledge.current({ signal });
  const count = base.files().length;
  const [first] = base.report.omissions;
  if (first !== undefined) {
    const more =
      base.report.omissions.length > 1 ? ` and ${base.report.omissions.length - 1} more` : "";
    return {
      status: "degraded",
      message: `${count} pages; left out: ${first.file} (${first.reason})${more}.`,
    };
  }
  return count === 0
    ? { status: "degraded", message: "There are no Markdown pages." }
    : { status: "up", message: `${count} ${count === 1 ? "page" : "pages"}.` };
}
