/**
 * A replica for the soak: serves a read and a write, and appends a line to a file for each write that it
 * does. Arguments: server, mesh, file.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createRouter } from "@constellation/core";
import { serveLibrarians } from "@constellation/core/transport";
import { createNatsTransport } from "@constellation/nats";

const [servers = "", mesh = "", file = ""] = process.argv.slice(2);

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
serveLibrarians(router, transport);
await router.open();
process.send?.("ready");
