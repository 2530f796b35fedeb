import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { plainJson } from "../http/plain-json.js";
import { type KeptRun, type RunSummary, summaryOf } from "./kept-run.js";
import { type RunFile, readRunFileName, readStoredRun, runFileOf, writeRun } from "./run-file.js";

/** Runs in a folder, a JSON file each: they outlive the process. */
export interface RunFolder {
  /** Reads a run by its id. */
  get(runId: string): Promise<KeptRun | undefined>;
  /** Their lines, newest first. */
  summaries(): AsyncGenerator<RunSummary>;
}

/** A folder that runs are written to, bounded in size and age. */
export interface WritableRunFolder extends RunFolder {
  /** Writes a run, later and one after another. Also replaces an earlier version of it. */
  save(run: KeptRun): void;
  /** Waits until everything is written. Never rejects. */
  close(): Promise<void>;
}

/** Limits of {@link WritableRunFolder}. */
export interface RunFolderLimits {
  /** Maximum size of all files, in bytes. The oldest are removed. */
  readonly maxBytes: number;
  /** Age after which a file is removed, in milliseconds. */
  readonly maxAgeMs: number;
}

/** Maximum number of runs that wait to be written; those beyond it are not stored. */
const maxWaiting = 1_000;
/** Maximum number of lines that are kept in memory. */
const maxSummaries = 50_000;

interface StoredFile extends RunFile {
  bytes: number;
}

/**
 * Opens a folder to read what is in it now.
 *
 * @throws Error of Node.js where it cannot be read.
 */
export async function readRunFolder(folder: string): Promise<RunFolder> {
  return readerOf(folder, await filesIn(folder));
}

/**
 * Opens a folder for the runs of one server, and makes it where it is missing. Only its user may read it.
 *
 * @param warn - Called once when a run cannot be written.
 * @throws Error of Node.js where it cannot be made or read.
 */
export async function openRunFolder(
  folder: string,
  { maxBytes, maxAgeMs }: RunFolderLimits,
  warn: (problem: string) => void,
): Promise<WritableRunFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = await filesIn(folder);
  const reader = readerOf(folder, files);
  let bytes = 0;
  for (const file of files.values()) {
    file.bytes = await sizeOf(join(folder, file.name));
    bytes += file.bytes;
  }
  const waiting = new Map<string, KeptRun>();
  let writing: Promise<void> | undefined;
  let hasWarned = false;

  function report(problem: string): void {
    if (!hasWarned) warn(problem);
    hasWarned = true;
  }

  async function write(run: KeptRun): Promise<void> {
    const file = runFileOf(run.record.startedAt, run.record.runId);
    if (file === undefined) return;
    const written = plainJson(writeRun(run));
    const path = join(folder, file.name);
    await writeFile(`${path}.part`, written, { mode: 0o600 });
    await rename(`${path}.part`, path);
    const size = Buffer.byteLength(written);
    bytes += size - (files.get(file.runId)?.bytes ?? 0);
    files.set(file.runId, { ...file, bytes: size });
    reader.forget(file.runId);
  }

  async function removeOld(): Promise<void> {
    const oldest = Date.now() - maxAgeMs;
    for (const file of files.values()) {
      if (bytes <= maxBytes && file.startedAt >= oldest) return;
      await rm(join(folder, file.name), { force: true });
      files.delete(file.runId);
      reader.forget(file.runId);
      bytes -= file.bytes;
    }
  }

  async function writeAll(): Promise<void> {
    for (const [runId, run] of waiting) {
      waiting.delete(runId);
      try {
        await write(run);
        await removeOld();
      } catch (thrown) {
        report(`Runs cannot be stored in ${folder}: ${(thrown as Error).message}.`);
      }
    }
    writing = undefined;
  }

  await removeOld();
  return {
    get: async (runId) => waiting.get(runId) ?? reader.get(runId),
    summaries: () => reader.summaries(),
    save(run) {
      const { runId } = run.record;
      if (!waiting.has(runId) && waiting.size >= maxWaiting) {
        report(`More than ${maxWaiting} runs wait to be stored in ${folder}; some are not.`);
        return;
      }
      waiting.set(runId, run);
      writing ??= Promise.resolve().then(writeAll);
    },
    async close() {
      while (writing !== undefined) await writing;
    },
  };
}

/** By id, oldest first. */
async function filesIn(folder: string): Promise<Map<string, StoredFile>> {
  const names = (await readdir(folder)).sort();
  return new Map(
    names.flatMap((name) => {
      const file = readRunFileName(name);
      return file === undefined ? [] : [[file.runId, { ...file, bytes: 0 }] as const];
    }),
  );
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0, // removed meanwhile
  );
}

interface Reader extends RunFolder {
  /** Its line is read again. */
  forget(runId: string): void;
}

function readerOf(folder: string, files: ReadonlyMap<string, StoredFile>): Reader {
  const lines = new Map<string, RunSummary>();

  async function summary(file: RunFile): Promise<RunSummary | undefined> {
    const known = lines.get(file.runId);
    if (known !== undefined) return known;
    const run = await readStoredRun(folder, file.name);
    if (run === undefined) return undefined;
    const line = { ...summaryOf(run.record), ...(run.user !== undefined && { user: run.user }) };
    if (lines.size < maxSummaries) lines.set(file.runId, line);
    return line;
  }

  return {
    async get(runId) {
      const file = files.get(runId);
      return file === undefined ? undefined : readStoredRun(folder, file.name);
    },
    async *summaries() {
      const newest = [...files.values()].sort((one, other) => other.startedAt - one.startedAt);
      for (const file of newest) {
        const line = await summary(file);
        if (line !== undefined) yield line;
      }
    },
    forget: (runId) => lines.delete(runId),
  };
}
