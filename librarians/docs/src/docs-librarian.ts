import { join } from "node:path";
import { defineLibrarian, parseOptions } from "@constellation/authoring";
import {
  type AnswerEstimate,
  type AnswerProbe,
  type Librarian,
  type LibrarianDefinition,
  withDeadline,
} from "@constellation/core";
import {
  type Analyzer,
  createAnalyzer,
  createFileStore,
  createMarkdownFolder,
  forLanguage,
  markdownFiles,
  type PageSource,
} from "@constellation/retrieval";
import { createAnswerer, maxQueryLength } from "./answer.js";
import { featureHits, readFeatures } from "./calibration/features.js";
import { judge } from "./calibration/judge.js";
import { checkHealth } from "./health.js";
import { createKnowledge, type Knowledge, type Opened } from "./knowledge.js";
import {
  type DocsLibrarianOptions,
  docsLibrarianDefaults,
  optionsSchema,
  type StartCondition,
} from "./options.js";
import { createPageLinks } from "./page-links.js";
import { stripQuestionFraming } from "./strip-question-framing.js";

/**
 * Creates a librarian that answers from Markdown pages and cites page and heading.
 *
 * Without a model the answer is in the pages' own words; with `context.ai` the model writes it from
 * the sections that were found, and its answer is checked; when a check fails, the pages' words are
 * used instead. The
 * navigator response is in `metadata.navigator`. A question outside its domain is delegated to the
 * librarian that fits best; when none fits, the error is `NOT_FOUND` (`out-of-domain`, or
 * `no-information` within
 * the domain). Other errors: `DATA_SOURCE_ERROR` when the pages cannot be read, `INVALID_QUERY` for
 * a blank query, and `TIMEOUT` when the caller no longer waits.
 *
 * The pages are read at `start`, which waits for them where `startWaitsFor` is given, or else at the first query. Later queries do not wait for a
 * refresh: they are answered from the pages read so far, while changed pages are read in the
 * background.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createDocsLibrarian(options: DocsLibrarianOptions): LibrarianDefinition<Librarian> {
  const checked = parseOptions(optionsSchema, options);
  const {
    root,
    pages,
    domain,
    include,
    exclude,
    formats,
    limits,
    cache,
    embedder,
    startWaitsFor = docsLibrarianDefaults.startWaitsFor,
    refreshMs,
    recordContent,
    baseUrl,
    site,
    modelTimeoutMs = Number.POSITIVE_INFINITY,
    ...given
  } = checked;
  const details = { ...given, id: given.id ?? docsLibrarianDefaults.id };
  const knowledge = createKnowledge({
    source: pages ?? folder(checked),
    formats,
    store: cache === undefined ? undefined : createFileStore(join(cache, `${details.id}.index`)),
    embedder,
    refreshMs: refreshMs ?? docsLibrarianDefaults.refreshMs,
  });
  const analyzer = createAnalyzer();
  const answer = createAnswerer({
    info: details,
    domain: domain ?? given.description,
    analyzer,
    links:
      baseUrl === undefined
        ? undefined
        : createPageLinks(baseUrl, site ?? docsLibrarianDefaults.site),
    recordContent: recordContent ?? docsLibrarianDefaults.recordContent,
    modelTimeoutMs,
  });

  return {
    ...defineLibrarian(details, async (query, context) =>
      answer(query, await knowledge.current(context), context),
    ),
    canAnswer: (probe) => estimate(probe, knowledge.opened, analyzer),
    start: (signal) => startReading(knowledge, startWaitsFor, signal),
    close: () => knowledge.close(),
    health: (signal) => checkHealth(knowledge, signal),
  };
}

/** Starts reading. It continues when the wait ends earlier: each query waits for as long as it has time. */
async function startReading(
  knowledge: Knowledge,
  condition: StartCondition,
  signal: AbortSignal,
): Promise<void> {
  knowledge.begin();
  if (condition === "nothing") return;
  const { base } = await knowledge.current({ signal });
  if (condition === "embeddings") await withDeadline({ signal }, () => base.embedded());
}

/** How well the pages could answer, by the search and the calibration that an answer rests on. */
async function estimate(
  { query, signal }: AnswerProbe,
  opened: Opened | undefined,
  analyzer: Analyzer,
): Promise<AnswerEstimate | undefined> {
  if (opened === undefined) return undefined;
  const asked = stripQuestionFraming(query.slice(0, maxQueryLength));
  const result = await opened.base.search(asked, { limit: featureHits, signal });
  const features = readFeatures(asked, result, forLanguage(analyzer, result.facts.language));
  return {
    chance: judge(features).answerable,
    coverage: features.topCoverage,
    similarity: features.nearest > -1 ? features.nearest : undefined,
    matches: result.facts.matched,
    version: opened.version,
  };
}

function folder({
  root,
  include,
  exclude,
  formats = {},
  limits,
}: DocsLibrarianOptions): PageSource {
  const endings = Object.keys(formats).map((ending) => `*${ending}`);
  const all = include ?? (endings.length > 0 ? [...markdownFiles, ...endings] : undefined);
  return createMarkdownFolder(root ?? "", {
    ...limits,
    ...(all !== undefined && { include: all }),
    ...(exclude !== undefined && { exclude }),
  });
}
