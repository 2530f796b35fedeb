import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JournalStore } from "../src/index.js";
import { readLog } from "./effect-log.js";
import { storeAt } from "./store-at.js";

/** Outcome of killing processes. */
export interface KillReport {
  readonly kills: number;
  readonly runs: number;
  /** Runs that have not ended with the right answer. */
  readonly unfinished: readonly string[];
  /** Effects that were done more or less than once. */
  readonly notOnce: readonly string[];
  /** Reads and calls of models that were done again although their outcome was recorded. */
  readonly repeated: readonly string[];
  /** Lines that processes wrote to stderr other than warnings of Node.js. */
  readonly problems: readonly string[];
}

const mesh = fileURLToPath(new URL("durable-mesh.ts", import.meta.url));

/**
 * Starts processes of a durable mesh, one after the other, each of which kills itself at another boundary, and
 * one at last that ends by itself.
 *
 * @param killAt - For each process, the boundary at which it ends.
 * @param place - Address of an empty Postgres database; a SQLite file where not given.
 */
export async function killProcesses(
  killAt: readonly number[],
  place?: string,
): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "durability-"));
  const [file, log] = [place ?? join(folder, "journal.db"), join(folder, "log")];
  const recorded = new Set<string>();
  const repeated: string[] = [];
  const problems: string[] = [];
  let kills = 0;
  let seen = 0;
  try {
    for (const at of [...killAt, 0]) {
      const { signal, stderr } = await runProcess([file, log, String(at)]);
      if (signal === "SIGKILL") kills++;
      problems.push(...stderr);
      const lines = readLog(log);
      for (const { kind, runId, name } of lines.slice(seen)) {
        if (recorded.has(`${kind} ${runId} ${name}`)) repeated.push(`${kind} ${runId} ${name}`);
      }
      seen = lines.length;
      for (const each of await recordedIn(file)) recorded.add(each);
    }
    const lines = readLog(log);
    const runs = lines.filter(({ kind }) => kind === "run").map(({ runId }) => runId);
    const effects = lines.filter(({ kind }) => kind === "effect");
    const counts = new Map<string, number>();
    for (const id of await endedIn(file))
      for (const name of ["restart", "notify"]) counts.set(`${id} ${name}`, 0);
    for (const { runId, name } of effects) {
      const key = `${runId} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const ended = new Set(await endedIn(file));
    const created = new Set(await createdIn(file));
    return {
      kills,
      runs: created.size,
      // A run that was killed before it was created has not begun.
      unfinished: runs.filter((id) => created.has(id) && !ended.has(id)),
      notOnce: [...counts]
        .filter(([, count]) => count !== 1)
        .map(([key, count]) => `${key}: ${count}`),
      repeated,
      problems,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly stderr: readonly string[];
}

function runProcess(given: readonly string[]): Promise<Ended> {
  const flags = ["--conditions=@constellation/source", "--import", "tsx", "--no-warnings"];
  const child = spawn(process.execPath, [...flags, mesh, ...given], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const lines = stderr.split("\n").filter(Boolean);
      resolve({
        signal,
        stderr: code === 0 || signal !== null ? lines : [`exit ${code}`, ...lines],
      });
    });
  });
}

async function withStore<Result>(
  file: string,
  read: (store: JournalStore) => Promise<Result>,
): Promise<Result> {
  const store = storeAt(file);
  await store.open();
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

/** Reads and calls of models whose outcome is in the store, as lines of the log. */
function recordedIn(file: string): Promise<readonly string[]> {
  return withStore(file, async (store) => {
    const found: string[] = [];
    for (const { id } of await store.listRuns({ limit: 1_000 })) {
      for (const { key, kind, phase } of await store.readEntries(id)) {
        const librarian = /\/(k8s|docs|metrics)\b/.exec(key)?.[1];
        if (phase !== "outcome" || librarian === undefined) continue;
        if (kind === "hop") found.push(`read ${id} ${librarian}`);
        if (kind === "model") found.push(`model ${id} ${librarian}`);
      }
    }
    return found;
  });
}

function createdIn(file: string): Promise<readonly string[]> {
  return withStore(file, async (store) =>
    (await store.listRuns({ limit: 10_000 })).map(({ id }) => id),
  );
}

function endedIn(file: string): Promise<readonly string[]> {
  return withStore(file, async (store) => {
    const ended = await store.listRuns({ status: "ended", limit: 10_000 });
    return ended
      .filter(({ id, outcome }) => outcome?.includes(`${id}: restarted, told`) === true)
      .map(({ id }) => id);
  });
}
