/**
 * A run continues though its worker is killed in the middle of it, and then the Restate server while it waits for a
 * person. Checks its own result, and fails when it is wrong. The server is installed once, at an exact version.
 *
 *     node --conditions=@constellation/source --import tsx examples/durable/src/main.ts
 */
import { deepEqual, equal } from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePorts, installRestate, startRestate } from "@constellation/restate/testing";
import { openMesh } from "./mesh.js";

const program = installRestate(fileURLToPath(new URL("../server", import.meta.url)));
if (program === undefined) process.exit(1); // why was printed
const folder = mkdtempSync(join(tmpdir(), "durable-"));
const log = join(folder, "log");
const server = await startRestate(program);
const [port = 0] = await findFreePorts(1);

async function startWorker(): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), [
    ...[server.ingress, log, String(port)],
  ]);
  await once(worker, "message");
  return worker;
}

const lines = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : []);
let worker = await startWorker();
await server.register(port);
const { router, journal } = openMesh(server.ingress, log);
try {
  const run = router.start("Why is checkout slow?", { user: { id: "ann" } });
  while (lines().length === 0) await sleep(20);
  console.log("The worker is killed in the middle of the diagnosis, and another one starts.");
  worker.kill("SIGKILL");
  worker = await startWorker();

  const { metadata } = await run.response;
  const [wait] = metadata?.waiting ?? [];
  console.log(`It waits: ${wait?.what}. Now the server is killed too, and started again.`);
  await server.restart();

  const [still] = await journal.waiting();
  equal(still?.id, wait?.id);
  const user = { id: "ben" };
  const resumed = await router.resume(run.id, { id: wait?.id ?? "", approve: true, user });
  const { answer } = await resumed.response;
  console.log(answer);

  equal(answer, "checkout has no memory. Restarted, approved by ben.");
  // The diagnosis that was killed was begun again; what had ended was not, and the restart was done once.
  deepEqual(lines(), ["diagnosis began", "diagnosis began", "diagnosis ended", "restarted"]);
} finally {
  await router.close();
  worker.kill("SIGKILL");
  await server.stop();
  rmSync(folder, { recursive: true });
}
