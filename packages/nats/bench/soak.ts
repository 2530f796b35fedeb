/**
 * Two routers and four replicas under load, while replicas are killed and started at random, and callers killed
 * in mid-call. Fails where a run has no valid response in time, a read is lost although a replica lives, a write
 * is done twice, or a call runs on past its deadline.
 *
 * `node --conditions=@constellation/source --import tsx packages/nats/bench/soak.ts [seconds]`
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRouter, type Response } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { startNatsServer } from "@constellation/nats/testing";

const seconds = Number(process.argv[2] ?? 60);
const mesh = "soak";
const timeoutMs = 15_000;
const folder = mkdtempSync(join(tmpdir(), "constellation-soak-"));
const written = join(folder, "writes");
const endings = join(folder, "endings");
writeFileSync(written, "");
writeFileSync(endings, "");
const server = await startNatsServer();
const replicas: ChildProcess[] = [];

async function start(script: string, ...more: readonly string[]): Promise<ChildProcess> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, [server.url, mesh, ...more], { execArgv: process.execArgv });
  await once(child, "message");
  return child;
}

async function startReplica(): Promise<void> {
  replicas.push(await start("replica.ts", written, endings));
}

await Promise.all(Array.from({ length: 4 }, startReplica));
const routers = [1, 2].map(() => {
  const transport = createNatsTransport({ servers: server.url, mesh, presenceMs: 500 });
  return createRouter({ transport, timeoutMs });
});
await Promise.all(routers.map((router) => router.open()));

const counts = {
  reads: 0,
  readsLost: 0,
  writes: 0,
  writesReported: 0,
  late: 0,
  kills: 0,
  callersKilled: 0,
};
const endsAt = performance.now() + seconds * 1_000;

/** Asks one after the other; each run must end in time with a valid response. */
async function load(index: number): Promise<void> {
  for (let call = 0; performance.now() < endsAt; call++) {
    const router = routers[index % routers.length];
    if (router === undefined) return;
    const isWrite = call % 4 === 0;
    const at = performance.now();
    const response = await router.ask(`${index}-${call}`, { to: isWrite ? "write" : "read" });
    if (performance.now() - at > timeoutMs + 1_000) counts.late++;
    count(isWrite, response);
  }
}

function count(isWrite: boolean, { answer, error }: Response): void {
  counts[isWrite ? "writes" : "reads"]++;
  if (answer !== undefined) return;
  if (isWrite && error?.code === "SERVICE_UNAVAILABLE") counts.writesReported++;
  else {
    counts.readsLost++;
    console.error(isWrite ? "write" : "read", error?.code, error?.message);
  }
}

/** Kills a replica now and then, and starts another; at least two live at any time. */
async function disturb(): Promise<void> {
  while (performance.now() < endsAt) {
    await pause(2_000 + Math.random() * 2_000);
    const [victim] = replicas.splice(Math.floor(Math.random() * replicas.length), 1);
    victim?.kill("SIGKILL");
    counts.kills++;
    const [caller] = await Promise.all([start("caller.ts"), startReplica()]);
    await pause(200);
    caller.kill("SIGKILL");
    counts.callersKilled++;
  }
}

await Promise.all([disturb(), ...Array.from({ length: 20 }, (_, index) => load(index))]);
await pause(7_000); // longer than any call may last: an orphan would have shown
const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean);
const lines = linesOf(written);
const writesTwice = lines.length - new Set(lines).size;
const orphans = linesOf(endings).filter((line) => line === "orphan").length;
const stopped = linesOf(endings).length - orphans;
const done = { writesDone: lines.length, writesTwice, stopped, orphans };
console.log(JSON.stringify({ seconds, ...counts, ...done }));
await Promise.all(routers.map((router) => router.close()));
for (const replica of replicas) replica.kill("SIGKILL");
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = counts.readsLost + counts.late + writesTwice + orphans > 0 ? 1 : 0;
