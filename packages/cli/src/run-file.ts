import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Response, type RunRecord, validateResponse } from "@constellation/core";
import { z } from "zod";
import { ConfigurationError } from "./configuration-error.js";
import { readTextFile } from "./read-text-file.js";

/** A run as it was saved: what `ask --json` prints, or a run record alone. */
export interface SavedRun {
  readonly response?: Response | undefined;
  readonly run: RunRecord;
}

const maxBytes = 64 * 1_048_576;

const text = z.string("expected text");
const number = z.number("expected a number");
const failure = z.looseObject({
  code: text,
  message: text,
  reason: text.optional(),
});

/** The parts of a record that are printed or asked again. */
const recordSchema = z.looseObject(
  {
    query: text,
    to: text,
    durationMs: number,
    unsettled: number,
    stopReason: text.optional(),
    error: failure.optional(),
    hops: z.array(
      z.looseObject({
        id: number,
        parentId: number.optional(),
        to: text,
        depth: number,
        via: text,
        query: text,
        startMs: number,
        durationMs: number,
        outcome: text.optional(),
        confidence: number.optional(),
        sources: number.optional(),
        lateMs: number.optional(),
        error: failure.optional(),
        fanOut: z.looseObject({ strategy: text }).optional(),
      }),
      "expected a list of hops",
    ),
  },
  "expected a run record",
);

/** @throws ConfigurationError that names the file and what is wrong with it. */
export async function readRunFile(path: string, shown: string): Promise<SavedRun> {
  return parseRun(await readTextFile({ path, shown, maxBytes }), shown);
}

/**
 * Reads a set of saved runs: a folder of `.json` files, or a file with one run in each line.
 *
 * @throws ConfigurationError that names the file, and the line, and what is wrong with it.
 */
export async function readRunFiles(path: string, shown: string): Promise<readonly SavedRun[]> {
  const names = await readdir(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOTDIR" || thrown.code === "ENOENT") return undefined;
    throw new ConfigurationError(`${shown}: cannot be read (${thrown.code ?? "unknown reason"}).`);
  });
  if (names !== undefined) {
    const files = names.filter((name) => name.endsWith(".json")).sort();
    return Promise.all(files.map((name) => readRunFile(join(path, name), `${shown}/${name}`)));
  }
  const lines = (await readTextFile({ path, shown, maxBytes })).split("\n");
  return lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [parseRun(line, `${shown}:${index + 1}`)],
  );
}

function parseRun(written: string, shown: string): SavedRun {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    throw new ConfigurationError(`${shown}: is not JSON. Save a run with: ask --json ... > FILE`);
  }
  const isBare = typeof value === "object" && value !== null && "hops" in value;
  const given = (isBare ? { run: value } : value) as { run?: unknown; response?: unknown } | null;
  const record = recordSchema.safeParse(given?.run);
  if (!record.success) {
    const [issue] = record.error.issues;
    const at = ["run", ...(issue?.path ?? [])].join(".");
    throw new ConfigurationError(`${shown}: is not a saved run. ${at}: ${issue?.message}.`);
  }
  const run = given?.run as RunRecord; // the parts that are read were checked
  if (given?.response === undefined) return { run };
  const response = validateResponse(given.response);
  if (!response.valid) {
    throw new ConfigurationError(`${shown}: its response is not valid. ${response.problem}.`);
  }
  return { run, response: response.response };
}
