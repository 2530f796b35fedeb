import { createWriteProblems, redactJson } from "@constellation/authoring";
import { eachDocument, type JournalStore, type JournalWrite } from "@constellation/journal";
import { z } from "zod";
import { plainJson } from "../http/plain-json.js";
import { type KeptRun, type RunSummary, summarizeLabels, summarizeRun } from "./kept-run.js";

/** Runs that have ended, as documents of a store: they outlive the process. */
export interface StoredRuns {
  /** Reads a run by its id. */
  get(runId: string): Promise<KeptRun | undefined>;
  /** Their lines, newest first. */
  summaries(): AsyncGenerator<RunSummary>;
}

/** Stored runs, without their secrets, bounded in size and age. */
export interface WritableStoredRuns extends StoredRuns {
  /** Writes a run, later. Also replaces an earlier version of it. */
  save(run: KeptRun): void;
  /** Waits until everything is written. Never rejects. */
  close(): Promise<void>;
}

/** Bounds of stored runs. */
export interface StoredRunsOptions {
  /** Maximum size of all runs, in bytes. The oldest are removed. Integer, 1 or more. */
  readonly maxBytes: number;
  /** Age after which a run is removed, in milliseconds. 1 or more. */
  readonly maxAgeMs: number;
  /** Called once when runs cannot be stored, and once when they can again. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Collections of whole runs and of their list entries, so that a list reads no texts. */
const collections = { runs: "runs", lines: "run-lines" } as const;

/** All lines, of which 200 are read at a time. */
const lines = { collection: collections.lines, limit: 200 };
/** Maximum number of runs that wait to be written; those beyond it are not stored. */
const maxWaiting = 1_000;
/** Number of runs that are written together. */
const maxBatch = 20;
/** Size of one batch of a removal. */
const maxRemoved = 500;

/** The fields of a stored run that readers need; the rest is optional. */
const storedSchema = z.looseObject({
  run: z.looseObject({
    runId: z.string(),
    query: z.string(),
    to: z.string(),
    startedAt: z.number(),
    durationMs: z.number(),
    unsettled: z.number(),
    hops: z.array(
      z.looseObject({
        id: z.number(),
        to: z.string(),
        depth: z.number(),
        startMs: z.number(),
        durationMs: z.number(),
      }),
    ),
  }),
  response: z.looseObject({}).optional(),
});

const lineSchema = z.object({
  line: z.looseObject({
    runId: z.string(),
    to: z.string(),
    startedAt: z.number(),
    durationMs: z.number(),
    hops: z.number(),
  }),
  bytes: z.number(),
});

/** Reads the runs that servers have stored in a journal. Its store must be open. */
export function readStoredRuns(store: JournalStore): StoredRuns {
  return {
    async get(runId) {
      const document = await store.readDocument(collections.runs, runId);
      return document === undefined ? undefined : readRun(document.body);
    },
    async *summaries() {
      for await (const { body } of eachDocument(store, lines)) {
        const line = readLine(body)?.line;
        if (line !== undefined) yield line;
      }
    },
  };
}

/**
 * Opens the runs of a journal for a server. While writing fails, new runs are lost and stored ones stay; afterwards
 * runs are stored again.
 */
export function openStoredRuns(
  store: JournalStore,
  { maxBytes, maxAgeMs, onProblem }: StoredRunsOptions,
): WritableStoredRuns {
  const reader = readStoredRuns(store);
  const problems = createWriteProblems("the journal", onProblem);
  const waiting = new Map<string, readonly JournalWrite[]>();
  let writing: Promise<void> | undefined;
  /** Since the last removal of old runs. */
  let added = Number.POSITIVE_INFINITY;

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, maxBatch);
      try {
        await store.write(batch.flatMap(([, writes]) => writes));
        problems.worked();
        added += batch.reduce((sum, [, [run]]) => sum + countBytes(run), 0);
        if (added > maxBytes / 20) {
          added = 0;
          await removeOld();
        }
      } catch (thrown) {
        problems.failed(thrown instanceof Error ? thrown.message : "unknown reason.", batch.length);
      }
      for (const [id, writes] of batch) if (waiting.get(id) === writes) waiting.delete(id);
    }
    writing = undefined;
  }

  async function removeOld(): Promise<void> {
    let before = Date.now() - maxAgeMs;
    let bytes = 0;
    for await (const { at, body } of eachDocument(store, lines)) {
      bytes += readLine(body)?.bytes ?? 0;
      if (bytes <= maxBytes) continue;
      before = Math.max(before, at + 1);
      break;
    }
    for (const collection of Object.values(collections)) {
      while ((await store.delete({ collection, before, limit: maxRemoved })) === maxRemoved);
    }
  }

  return {
    summaries: reader.summaries,
    async get(runId) {
      const [run] = waiting.get(runId) ?? [];
      return run?.type === "put-document" ? readRun(run.body) : reader.get(runId);
    },
    save(run) {
      const { runId } = run.record;
      if (!waiting.has(runId) && waiting.size >= maxWaiting) {
        problems.failed(`${maxWaiting} runs wait to be written.`);
        return;
      }
      waiting.delete(runId);
      waiting.set(runId, writesFor(run));
      writing ??= Promise.resolve().then(writeAll);
    },
    async close() {
      while (writing !== undefined) await writing;
    },
  };
}

function writesFor({ record, ...rest }: KeptRun): readonly JournalWrite[] {
  const { user, ...texts } = rest;
  // The id decides who may read the run, so it is never redacted or cut.
  const owner = user === undefined ? {} : { user: { id: user.id } };
  const body = withOwner(redactJson(JSON.parse(plainJson({ run: record, ...texts }))), owner);
  const line = { ...summarizeRun(record), ...summarizeLabels(rest) };
  const common = {
    type: "put-document",
    id: record.runId,
    user: user?.id,
    at: record.startedAt,
  } as const;
  return [
    { ...common, collection: collections.runs, body },
    {
      ...common,
      collection: collections.lines,
      body: JSON.stringify({
        line: JSON.parse(withOwner(redactJson(line), owner)) as object, // just written
        bytes: Buffer.byteLength(body),
      }),
    },
  ];
}

function withOwner(json: string, owner: { readonly user?: { readonly id: string } }): string {
  return JSON.stringify({ ...(JSON.parse(json) as object), ...owner }); // just written
}

function countBytes(write: JournalWrite | undefined): number {
  return write?.type === "put-document" ? Buffer.byteLength(write.body) : 0;
}

function readRun(body: string): KeptRun | undefined {
  const { data } = storedSchema.safeParse(parse(body));
  if (data === undefined) return undefined;
  const { run, ...rest } = data;
  return { record: run, ...rest } as unknown as KeptRun; // written by `writesFor`; the required parts were checked
}

function readLine(body: string): { readonly line: RunSummary; readonly bytes: number } | undefined {
  // Written by `writesFor`; the required parts were checked.
  return lineSchema.safeParse(parse(body)).data as ReturnType<typeof readLine>;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
