import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { AIClient, Response } from "@constellation/core";
import { createRouter } from "@constellation/core";
import { createJournal } from "../src/index.js";
import { effectsIn } from "./effect-log.js";
import { storeAt } from "./store-at.js";

// One process of a durable mesh. It continues what others have left, answers what waits, asks once, and kills itself at
// a boundary of a hop, a step or a model call: `durable-mesh.ts FILE LOG KILL_AT`, where 0 means never, and FILE may
// be the address of a Postgres database.

const [file = "", log = "", killAt = "0"] = process.argv.slice(2);
let boundaries = 0;
function boundary(): void {
  if (++boundaries === Number(killAt)) process.kill(process.pid, "SIGKILL");
}
/** A killed process loses nothing that it has written. */
function note(kind: string, runId: string, name: string): void {
  appendFileSync(log, `${kind} ${runId} ${name}\n`);
}

const ai: AIClient = {
  async complete({ prompt }) {
    const [runId = "", name = ""] = String(prompt).split(" ");
    note("model", runId, name);
    boundary();
    await sleep(1);
    boundary();
    const usage = { inputTokens: 1, outputTokens: 1 };
    return { text: `summary for ${name}`, stopReason: "end", usage, model: "scripted" };
  },
  analyze: () => Promise.reject(new TypeError("not used")),
  runTools: () => Promise.reject(new TypeError("not used")),
};

const store = storeAt(file);
await store.open();
// A supervisor knows that the process before this one has ended: no one waits for its lease.
for (const { owner } of await store.listRuns({ status: "running", limit: 100 })) {
  await store.write([{ type: "renew-owner", owner, leaseUntil: 0 }]);
}
const journal = createJournal({ store, leaseMs: 60_000, maxLosses: 1_000, redact: (text) => text });
const router = createRouter({ journal, ai, entry: "triage", timeoutMs: 60_000 });

const reads = ["k8s", "docs", "metrics"];
for (const id of reads) {
  router.register({
    ...{ id, description: "reads" },
    async librarian(_query, { requestId, ai }) {
      note("read", requestId, id);
      boundary();
      await sleep(1);
      const summary = await ai?.complete({ prompt: `${requestId} ${id}` });
      boundary();
      return { answer: `${id}: ${summary?.text}` };
    },
  });
}
router.register({
  ...{ id: "triage", description: "asks all" },
  async librarian(query, { ask, requestId }) {
    boundary();
    const facts = await Promise.all(reads.map((to) => ask(query, { to })));
    boundary();
    const fixed = await ask(`fix: ${facts.map(({ answer }) => answer).join("; ")}`, {
      to: "fixer",
    });
    boundary();
    const told = await ask("tell them", { to: "notifier" });
    boundary();
    return { answer: `${requestId}: ${fixed.answer}, ${told.answer}` };
  },
});
router.register({
  ...{ id: "fixer", description: "fixes" },
  async librarian(_query, { approve, step, requestId }) {
    const { approved } = await approve({ what: "Restart checkout" });
    boundary();
    if (!approved) return { answer: "refused" };
    const restarted = await step("restart", async () => {
      boundary();
      note("effect", requestId, "restart");
      boundary();
      await sleep(1);
      return "restarted";
    });
    boundary();
    return { answer: restarted };
  },
});
router.register({
  ...{ id: "notifier", description: "tells", effects: "write" },
  async librarian(_query, { requestId }) {
    boundary();
    note("effect", requestId, "notify");
    boundary();
    await sleep(1);
    return { answer: "told" };
  },
});

/** Answers as people would: they look whether something was done. */
async function answerAll(): Promise<void> {
  for (;;) {
    const waiting = await journal.waiting();
    if (waiting.length === 0) return;
    for (const { kind, runId, id, librarian } of waiting) {
      const name = librarian === "fixer" ? "restart" : "notify";
      const isDone = effectsIn(log).has(`${runId} ${name}`);
      const done: unknown = librarian === "fixer" ? "restarted" : { answer: "told" };
      const answer = isDone ? { value: done } : { repeat: true };
      const given = {
        id,
        user: { id: "eve" },
        ...(kind === "approval" ? { approve: true } : answer),
      };
      const resumed = await router.resume(runId, given);
      await resumed.response;
    }
  }
}

async function untilNoneRuns(): Promise<void> {
  while ((await journal.runs({ status: "running" })).length > 0) await sleep(5);
}

await router.open();
boundary();
await untilNoneRuns();
await answerAll();
if (killAt !== "0") {
  const run = router.start("what is wrong?");
  note("run", run.id, "start");
  boundary();
  const response: Response = await run.response;
  if (response.metadata?.waiting === undefined) throw new Error(JSON.stringify(response));
  await answerAll();
}
await router.close();
