import { createSectionVectors } from "../embeddings/section-vectors.js";
import type { Omission, PageEntry } from "../folder/page-source.js";
import { nextTurn, turnMs } from "../lexical/turns.js";
import { createSectionIndex } from "../sections/section-index.js";
import { createBackgroundEmbedding } from "./background-embedding.js";
import { createBackgroundSave } from "./background-save.js";
import { findSection } from "./find-section.js";
import { searchHybrid } from "./hybrid-search.js";
import type { KnowledgeBase, KnowledgeBaseOptions, RefreshReport } from "./knowledge-base.js";
import { createKnowledgeLog, loadKnowledge } from "./knowledge-log.js";
import { toPage } from "./read-page.js";

/** Number of pages read concurrently. */
const pagesAtOnce = 8;
/** Maximum time that closing waits for a running save. */
const saveGraceMs = 5_000;

/**
 * Reads every page of a source and opens it for searching; with a store, only the pages that
 * changed since.
 *
 * Rejects when the source cannot be listed, and with the signal's reason. A page that cannot be
 * read, a stored index that cannot be used and an embedder that fails do not reject: `report` lists
 * them.
 */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
  const { source, store, onProgress, signal } = options;
  const { formats = {} } = options;
  const begin = () => ({
    index: createSectionIndex(),
    entries: new Map<string, PageEntry>(),
    embedderId: options.embedder?.id,
    vectors: options.embedder && createSectionVectors(options.embedder),
  });
  const { knowledge, loaded, ...opening } = await loadKnowledge(store, begin, signal);
  const { index, vectors, entries: known } = knowledge;
  let openingProblem = opening.problem;
  const closing = new AbortController();
  let report: RefreshReport = { changed: [], removed: [], omissions: [] };
  /** Pages that are not text: not read again until they change. */
  const refused = new Map<string, Omission>();
  let running: Promise<unknown> = Promise.resolve();
  const log = store && createKnowledgeLog(store, knowledge, loaded);
  const save =
    log &&
    createBackgroundSave(log.save, (isSaved) => {
      const { storeProblem, ...rest } = report;
      if (!isSaved) report = { ...rest, storeProblem: "not-saved" };
      else if (storeProblem === "not-saved") report = rest;
    });

  const embedder =
    vectors &&
    createBackgroundEmbedding(vectors, index, closing.signal, (problem, files) => {
      const { embeddingProblem: _, ...rest } = report;
      report = problem === undefined ? rest : { ...rest, embeddingProblem: problem };
      for (const file of files) log?.note(file);
      if (files.size > 0) save?.request();
    });

  async function look(lookSignal?: AbortSignal): Promise<RefreshReport> {
    const listing = await source.list(lookSignal);
    const { changed, removed } = changesBetween([...known.values()], listing.pages);
    const listed = new Map(listing.pages.map((entry) => [entry.file, entry]));
    const unread: Omission[] = [];
    const removedFiles = new Set(removed);
    let turnEnds = performance.now() + turnMs;
    for (let done = 0; done < changed.length; done += pagesAtOnce) {
      const files = changed.slice(done, done + pagesAtOnce);
      const reads = await Promise.all(files.map((file) => source.read(file, lookSignal)));
      for (const [at, read] of reads.entries()) {
        const file = files[at] ?? "";
        // No `await` until the page is replaced, so that the index and `known` stay consistent.
        const page = toPage(read, file, formats);
        for (const id of index.sectionIds(file)) vectors?.index.remove(id);
        known.delete(file);
        refused.delete(file);
        log?.note(file);
        if ("reason" in page) {
          if (page.reason === "binary") refused.set(file, page);
          else unread.push(page);
          if (index.remove(file)) removedFiles.add(file);
        } else {
          index.set(page);
          const entry = listed.get(file);
          if (entry !== undefined) known.set(file, entry);
        }
        if (log !== undefined) index.storedPages([file]); // packed at once, so that memory never has all of them read
        tell(() => onProgress?.({ done: done + at + 1, total: changed.length, file }));
        if (performance.now() < turnEnds) continue;
        await nextTurn();
        turnEnds = performance.now() + turnMs;
      }
      lookSignal?.throwIfAborted();
    }
    for (const file of removed) {
      index.remove(file);
      refused.delete(file);
      known.delete(file);
      log?.note(file);
    }
    const left = new Set(unread.map(({ file }) => file));
    for (const file of refused.keys()) {
      const entry = listed.get(file);
      if (entry !== undefined) known.set(file, entry);
    }
    const read = changed.filter((file) => !left.has(file) && !refused.has(file));
    const isNew = read.length > 0 || removedFiles.size > 0 || openingProblem !== undefined;
    const storeProblem =
      openingProblem ?? (report.storeProblem === "not-saved" ? "not-saved" : undefined);
    openingProblem = undefined;
    report = {
      changed: read,
      removed: [...removedFiles].sort(),
      omissions: [...listing.omissions, ...unread, ...refused.values()].sort((a, b) =>
        a.file < b.file ? -1 : 1,
      ),
      ...(storeProblem === undefined ? {} : { storeProblem }),
      ...(report.embeddingProblem === undefined
        ? {}
        : { embeddingProblem: report.embeddingProblem }),
    };
    const looked = report;
    if (isNew) save?.request();
    embedder?.request();
    return looked;
  }

  /** Runs changes one after another, so that two never change the index concurrently. */
  function inTurn(work: () => Promise<RefreshReport>): Promise<RefreshReport> {
    const turn = running.then(work, work);
    running = turn.catch(() => {});
    return turn;
  }

  /** A signal that aborts with the caller's, or when the base is closed. */
  async function untilClosed<Result>(
    given: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ending = new AbortController();
    const signals = [given, closing.signal].filter((each) => each !== undefined);
    const ends = signals.map((each) => () => ending.abort(each.reason));
    signals.forEach((each, at) => {
      if (each.aborted) ending.abort(each.reason);
      else each.addEventListener("abort", ends[at] ?? (() => {}), { once: true });
    });
    try {
      return await work(ending.signal);
    } finally {
      signals.forEach((each, at) => {
        each.removeEventListener("abort", ends[at] ?? (() => {}));
      });
    }
  }

  await inTurn(() => look(signal));

  return {
    get size() {
      return index.size;
    },
    get report() {
      return report;
    },
    async search(query, searchOptions = {}) {
      return vectors === undefined
        ? index.searchInTurns(query, searchOptions)
        : searchHybrid(index, vectors, query, searchOptions);
    },
    files: () => index.files(),
    page: (file) => index.page(file),
    section: (file, name) => findSection(index.page(file), name),
    refresh: ({ signal: given } = {}) => untilClosed(given, (ending) => inTurn(() => look(ending))),
    get embedding() {
      return vectors && { done: vectors.index.size, total: index.size };
    },
    embedded: async () => (await embedder?.settled()) ?? true,
    saved: async () => (await save?.settled()) ?? true,
    async close() {
      closing.abort(new DOMException("The knowledge base was closed.", "AbortError"));
      await running;
      await embedder?.settled();
      await save?.close(saveGraceMs);
    },
  };
}

/** New pages and pages of another size or time, and removed ones, sorted. */
function changesBetween(
  before: readonly PageEntry[],
  after: readonly PageEntry[],
): { readonly changed: readonly string[]; readonly removed: readonly string[] } {
  const known = new Map(before.map((page) => [page.file, page]));
  const changed = after
    .filter(({ file, bytes, modifiedMs }) => {
      const page = known.get(file);
      known.delete(file);
      return page === undefined || page.bytes !== bytes || page.modifiedMs !== modifiedMs;
    })
    .map(({ file }) => file);
  return { changed, removed: [...known.keys()].sort() };
}

/** Calls a listener and ignores exceptions. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch {
    // Without a listener, nothing is reported.
  }
}
