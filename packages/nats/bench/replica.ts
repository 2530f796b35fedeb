/**
 * A replica for the soak: serves a read, a write and a read that ends with its caller alone. It appends a line
 * to a file for each write that it does, and to another one for each of the long reads: `stopped`, or
 * `orphan` where it runs on past its deadline. Arguments: server, mesh, the two files.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { serveLibrarians } from "@constellation/transport";

const [servers = "", mesh = "", file = "", endings = ""] = process.argv.slice(2);

/** Time after its deadline at which a call counts as an orphan, in milliseconds. */
const orphanMs = 1_000;

const transport = createNatsTransport({ servers, mesh, presenceMs: 500 });
const router = createRouter({ transport });
router.register({
  id: "read",
  description: "reads",
  librarian: async (_query, context) => {
    await pause(Math.random() * 200, undefined, { signal: context?.signal });
    return { answer: "so" };
  },
});
router.register({
  id: "write",
  description: "writes",
  effects: "write",
  librarian: async (query) => {
    appendFileSync(file, `${query}\n`);
    await pause(Math.random() * 200);
    return { answer: "done" };
  },
});
router.register({
  id: "long",
  description: "works until it is stopped",
  librarian: async (_query, context) => {
    const limitMs = (context?.remainingMs?.() ?? 0) + orphanMs;
    const isOver = await pause(limitMs, true, { signal: context?.signal }).catch(() => false);
    appendFileSync(endings, isOver ? "orphan\n" : "stopped\n");
    return { answer: "so" };
  },
});
serveLibrarians(router, transport);
await router.open();
process.send?.("ready");
