import { appendFileSync } from "node:fs";
import { createServer } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { type AIClient, createRouter, type Router } from "@constellation/core";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { createRestateJournal, type RestateJournal } from "../src/index.js";

// One process of a durable mesh, which kills itself at a boundary of a hop, a step or a model call:
// `durable-process.ts INGRESS LOG PORT KILL_AT`, where 0 means never.

/** Ids of the librarians that only read. */
export const reads = ["k8s", "docs", "metrics"];

/** @param boundary - Called at each boundary; may end the process. */
export function openDurableMesh(
  ingress: string,
  log: string,
  boundary: () => void,
): { readonly router: Router; readonly journal: RestateJournal } {
  /** A killed process loses nothing that it has written. */
  const note = (kind: string, run: string | undefined, name: string) =>
    appendFileSync(log, `${kind} ${run} ${name}\n`);
  const ai: AIClient = {
    async complete({ prompt }) {
      const [run = "", name = ""] = String(prompt).split(" ");
      note("model", run, name);
      boundary();
      await sleep(1);
      boundary();
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { text: `summary for ${name}`, stopReason: "end", usage, model: "scripted" };
    },
    analyze: () => Promise.reject(new TypeError("not used")),
    runTools: () => Promise.reject(new TypeError("not used")),
  };
  const journal = createRestateJournal({ ingress, maxAttempts: 1_000 });
  const router = createRouter({ name: "m", journal, ai, entry: "triage", timeoutMs: 600_000 });
  const queryOf = (query: string) => query.split(" ")[0];
  for (const id of reads) {
    router.register({
      ...{ id, description: "reads" },
      async librarian(query, context) {
        const run = queryOf(query);
        note("read", run, id);
        boundary();
        await sleep(1);
        const summary = await context.ai?.complete({ prompt: `${run} ${id}` });
        boundary();
        return { answer: `${id}: ${summary?.text}`, confidence: 1 };
      },
    });
  }
  router.register({
    ...{ id: "triage", description: "asks all" },
    async librarian(query, { ask }) {
      boundary();
      const facts = await Promise.all(reads.map((to) => ask(query, { to })));
      boundary();
      const fixed = await ask(`${queryOf(query)} fix ${facts.length}`, { to: "fixer" });
      boundary();
      const told = await ask(`${queryOf(query)} tell them`, { to: "notifier" });
      boundary();
      return { answer: `${fixed.answer}, ${told.answer}`, confidence: 1 };
    },
  });
  router.register({
    ...{ id: "fixer", description: "fixes" },
    async librarian(query, { approve, step }) {
      const { approved } = await approve({ what: "Restart checkout" });
      boundary();
      if (!approved) return { answer: "refused" };
      const restarted = await step("restart", async () => {
        boundary();
        note("effect", queryOf(query), "restart");
        boundary();
        await sleep(1);
        return "restarted";
      });
      boundary();
      return { answer: restarted, confidence: 1 };
    },
  });
  router.register({
    ...{ id: "notifier", description: "tells", effects: "write" },
    async librarian(query) {
      boundary();
      note("effect", queryOf(query), "notify");
      boundary();
      await sleep(1);
      return { answer: "told", confidence: 1 };
    },
  });
  return { router, journal };
}

const [ingress, log = "", port, killAt] = process.argv.slice(2);
if (ingress !== undefined && port !== undefined) {
  let boundaries = 0;
  const { journal } = openDurableMesh(ingress, log, () => {
    if (++boundaries === Number(killAt)) process.kill(process.pid, "SIGKILL");
  });
  const handler = createEndpointHandler({
    services: [...journal.services],
    logger: () => undefined,
  });
  createServer(handler).listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
}
