import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { KeptRun } from "./kept-run.js";

/** A run in a folder: its name says when it began and which it is. */
export interface RunFile {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly runId: string;
}

/** Maximum size of a file that is read, in bytes. */
const maxBytes = 64 * 1_048_576;

const namePattern = /^(\d{13})-([\w-]{1,64})\.json$/;

/** @returns `undefined` for a run whose id or time cannot be in the name of a file. */
export function runFileOf(startedAt: number, runId: string): RunFile | undefined {
  const time = Math.trunc(startedAt).toString().padStart(13, "0");
  return readRunFileName(`${time}-${runId}.json`);
}

/** @returns `undefined` for any other file. */
export function readRunFileName(name: string): RunFile | undefined {
  const [, time, runId] = namePattern.exec(name) ?? [];
  if (time === undefined || runId === undefined) return undefined;
  return { name, startedAt: Number(time), runId };
}

const text = z.string();
const time = z.number();

/** What readers of a run rely on; the rest is optional. */
const storedSchema = z.looseObject({
  run: z.looseObject({
    runId: text,
    query: text,
    to: text,
    startedAt: time,
    durationMs: time,
    unsettled: time,
    hops: z.array(
      z.looseObject({ id: time, to: text, depth: time, startMs: time, durationMs: time }),
    ),
  }),
  response: z.looseObject({}).optional(),
});

/** As it is stored: like the output of `constellation ask --json`. */
export function writeRun({ record, ...rest }: KeptRun): object {
  return { run: record, ...rest };
}

/** Reads a stored run. @returns `undefined` for a file that is missing, too large or not a run. */
export async function readStoredRun(folder: string, name: string): Promise<KeptRun | undefined> {
  try {
    const path = join(folder, name);
    if ((await stat(path)).size > maxBytes) return undefined;
    const stored = storedSchema.parse(JSON.parse(await readFile(path, "utf8")));
    const { run, ...rest } = stored;
    return { record: run, ...rest } as unknown as KeptRun; // written by `writeRun`; the required parts were checked
  } catch {
    return undefined;
  }
}
