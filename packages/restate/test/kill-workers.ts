import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePorts, startRestate } from "../src/testing.js";
import { openDurableMesh, reads } from "./durable-process.js";

/** Outcome of killing processes. */
export interface KillReport {
  readonly kills: number;
  readonly serverKills: number;
  readonly runs: number;
  /** Answers other than the right one. */
  readonly wrong: readonly string[];
  /** Effects that were done more or less than once. */
  readonly notOnce: readonly string[];
  /** Hops that were called again although Restate had their outcome. */
  readonly repeated: readonly string[];
}

const worker = fileURLToPath(new URL("durable-process.ts", import.meta.url));

/**
 * Works on runs, one after the other, with processes that kill themselves at one boundary after another; every tenth
 * time the server is killed too.
 */
export async function killWorkers(program: string, kills: number): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "durability-"));
  const log = join(folder, "log");
  const server = await startRestate(program);
  const [port = 0] = await findFreePorts(1);
  const { router, journal } = openDurableMesh(server.ingress, log, () => undefined);
  const lines = () =>
    existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  const done = new Set<string>();
  const repeated: string[] = [];
  const runIds = new Map<string, string>();
  let [killed, serverKills, seen, boundary] = [0, 0, 0, 0];
  let process: ChildProcess | undefined;
  let isOver = false;

  /** What had an outcome at the last kill, and was called since. */
  async function checkRepeated(): Promise<void> {
    const all = lines();
    for (const line of all.slice(seen)) if (done.has(line)) repeated.push(line);
    seen = all.length;
    const completed = await server.completedKeys("constellation-hop");
    for (const [name, runId] of runIds) {
      for (const id of reads) {
        const key = `${runId} triage/triage/${id} 0`;
        const idempotencyKey = createHash("sha256").update(key).digest("base64url").slice(0, 32);
        if (completed.has(idempotencyKey)) {
          done.add(`read ${name} ${id}`);
          done.add(`model ${name} ${id}`);
        }
      }
    }
  }

  async function startWorker(): Promise<void> {
    const killAt = killed < kills ? 1 + (boundary++ % 24) : 0;
    const started = fork(worker, [server.ingress, log, String(port), String(killAt)], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: ["--conditions=@constellation/source", "--import", "tsx", "--no-warnings"],
    });
    process = started;
    started.once("exit", () => void onExit());
    await Promise.race([once(started, "message"), once(started, "exit")]);
  }

  let restarting = Promise.resolve();
  async function onExit(): Promise<void> {
    if (isOver) return;
    killed++;
    restarting = (async () => {
      if (killed % 10 === 0) {
        await server.restart();
        serverKills++;
      }
      await checkRepeated();
      await startWorker();
    })();
    await restarting;
  }

  /** Answers as people would: they look whether something was done. */
  async function answerAll(name: string): Promise<void> {
    for (const { kind, runId, id, librarian } of await journal.waiting()) {
      const effect = librarian === "fixer" ? "restart" : "notify";
      const isDone = lines().includes(`effect ${name} ${effect}`);
      const value = librarian === "fixer" ? "restarted" : { answer: "told", confidence: 1 };
      const answer =
        kind === "approval" ? { approve: true } : isDone ? { value } : { repeat: true };
      await router.resume(runId, { id, user: { id: "eve" }, ...answer }).catch(() => undefined); // answered before
    }
  }

  try {
    await startWorker();
    await server.register(port);
    const wrong: string[] = [];
    let runs = 0;
    while (killed < kills || runs === 0) {
      const name = `run-${runs++}`;
      const run = router.start(`${name} what is wrong?`);
      runIds.set(name, run.id);
      let response = await run.response;
      while (response.metadata?.waiting !== undefined) {
        await answerAll(name);
        await sleep(20);
        response = await journal.response(run.id);
      }
      if (response.answer !== "restarted, told") wrong.push(JSON.stringify(response));
    }
    await restarting;
    await checkRepeated();
    const effects = lines().filter((line) => line.startsWith("effect"));
    const expected = [...runIds.keys()].flatMap((name) => [
      `effect ${name} restart`,
      `effect ${name} notify`,
    ]);
    const notOnce = expected.filter(
      (each) => effects.filter((effect) => effect === each).length !== 1,
    );
    return { kills: killed, serverKills, runs, wrong, notOnce, repeated };
  } finally {
    isOver = true;
    await router.close();
    process?.kill("SIGKILL");
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
