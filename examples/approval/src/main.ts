/**
 * A workflow for production waits for a person: one process asks and ends, another one has the approval and runs the
 * workflow, once. It prints what would change; `--apply` changes a copy of the recorded cluster. Checks its own result,
 * and fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/approval/src/main.ts
 */
import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Router } from "@constellation/core";
import type { Journal } from "@constellation/journal";
import { openMesh } from "./mesh.js";
import { openCluster } from "./recorded-cluster.js";

const folder = mkdtempSync(join(tmpdir(), "approval-"));
const file = join(folder, "journal.db");
const cluster = openCluster(process.argv.includes("--apply") ? join(folder, "cluster") : undefined);

/** A process of its own: a router, and the journal that all share. */
async function inProcess<Result>(
  work: (router: Router, journal: Journal) => Promise<Result>,
): Promise<Result> {
  const { router, journal } = openMesh(file, cluster);
  await router.open();
  try {
    return await work(router, journal);
  } finally {
    await router.close();
  }
}

try {
  const ann = { id: "ann", teams: ["shop"] };
  const ben = { id: "ben", teams: ["platform"] };
  const query =
    "Checkout keeps crashing in production, killed for memory. Which workflow should we run to fix checkout?";

  console.log("Ann asks, and her process ends.");
  const asked = await inProcess((router) => router.ask(query, { user: ann }));
  equal(asked.metadata?.waiting?.length, 1);

  const { runId, id, what, why, data } = await inProcess(async (_router, journal) => {
    deepEqual(await journal.waiting({ user: ann }), []); // no one approves their own order
    const [waiting] = await journal.waiting({ user: ben });
    if (waiting === undefined) throw new Error("Nothing waits for Ben.");
    return waiting;
  });
  console.log(`It waits: ${what}\n  because ${why}\n  ${JSON.stringify(data)}`);
  deepEqual(cluster.changes, []);

  const answer = await inProcess(async (router) => {
    await rejects(router.resume(runId, { id, approve: true, user: ann }), { code: "UNAUTHORIZED" });
    const run = await router.resume(runId, { id, approve: true, user: ben, comment: "Go." });
    await rejects(router.resume(runId, { id, approve: true, user: ben }), { code: "NOT_FOUND" });
    return (await run.response).answer;
  });
  console.log(`Ben approves, in another process.\n${answer}`);

  match(answer ?? "", /approved by ben/);
  deepEqual(cluster.changes, ["production/Deployment/checkout web: memory 512Mi -> 1024Mi"]);
  equal(cluster.memoryOf("checkout", "web"), cluster.isDry ? "512Mi" : "1024Mi");
} finally {
  rmSync(folder, { recursive: true });
}
