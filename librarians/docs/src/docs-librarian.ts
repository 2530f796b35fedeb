import { join } from "node:path";
import type { LibrarianDefinition } from "@constellation/core";
import { defineLibrarian, parseOptions } from "@constellation/core/authoring";
import {
  createAnalyzer,
  createFileStore,
  createMarkdownFolder,
  type PageSource,
} from "@constellation/retrieval";
import { createAnswerer } from "./answer.js";
import { healthOf } from "./health.js";
import { createKnowledge } from "./knowledge.js";
import { type DocsLibrarianOptions, docsLibrarianDefaults, optionsSchema } from "./options.js";

/**
 * Creates a librarian that answers from Markdown pages and cites page and heading.
 *
 * Without a model the answer is in the pages' own words; with `context.ai` the model writes it from
 * the sections that were found, and it is checked before it leaves, else the pages' words stand. The
 * navigator response is in `metadata.navigator`. What lies outside its domain it delegates to the
 * librarian that fits best, else the error is `NOT_FOUND` (`out-of-domain`, or `no-information` within
 * the domain). Pages that cannot be read give `DATA_SOURCE_ERROR`, a blank query `INVALID_QUERY`, and
 * `TIMEOUT` a caller that no longer waits.
 *
 * The pages are read from `start` on, or else from the first query on. Later queries wait for no
 * reading: they are answered from what is known, and pages that changed are read beside them.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createDocsLibrarian(options: DocsLibrarianOptions): LibrarianDefinition {
  const checked = parseOptions(optionsSchema, options);
  const {
    root,
    pages,
    domain,
    include,
    exclude,
    limits,
    cache,
    embedder,
    refreshMs,
    recordContent,
    modelTimeoutMs = Number.POSITIVE_INFINITY,
    ...given
  } = checked;
  const details = { ...given, id: given.id ?? docsLibrarianDefaults.id };
  const knowledge = createKnowledge({
    source: pages ?? folder(checked),
    store: cache === undefined ? undefined : createFileStore(join(cache, `${details.id}.index`)),
    embedder,
    refreshMs: refreshMs ?? docsLibrarianDefaults.refreshMs,
  });
  const answer = createAnswerer({
    info: details,
    domain: domain ?? given.description,
    analyzer: createAnalyzer(),
    recordContent: recordContent ?? docsLibrarianDefaults.recordContent,
    modelTimeoutMs,
  });

  return {
    ...defineLibrarian(details, async (query, context, signal) =>
      answer(query, await knowledge.current({ ...context, signal }), { ...context, signal }),
    ),
    // Begins to read and does not wait: each query waits for as long as it has time.
    start: async () => knowledge.begin(),
    close: () => knowledge.close(),
    health: (signal) => healthOf(knowledge, signal),
  };
}

function folder({ root, include, exclude, limits }: DocsLibrarianOptions): PageSource {
  return createMarkdownFolder(root ?? "", {
    ...limits,
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
  });
}
