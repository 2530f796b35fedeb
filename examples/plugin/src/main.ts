/**
 * A mesh with a librarian of our own: registers it beside another, asks, checks what comes back, and
 * fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/plugin/src/main.ts
 */
import { deepEqual, equal } from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { printTree } from "@constellation/authoring";
import { createRouter } from "@constellation/core";
import { createStatusLibrarian } from "./index.js";

const server = createServer((_request, response) => {
  const components = [
    { name: "checkout", status: "down", note: "Out of memory since 14:02." },
    { name: "billing", status: "operational" },
  ];
  response.end(JSON.stringify({ components }));
});
await once(server.listen(0, "127.0.0.1"), "listening");
const address = server.address();
const port = typeof address === "object" ? address?.port : undefined;

const router = createRouter({ name: "plugin", entry: "desk", timeoutMs: 5_000 });
router.register(createStatusLibrarian({ url: `http://127.0.0.1:${port}/status.json` }));
router.register({
  id: "runbook",
  description: "Says what to do.",
  librarian: async () => ({ answer: "Roll checkout back.", confidence: 0.8 }),
});
router.register({
  id: "desk",
  description: "Passes questions on.",
  delegatesTo: ["status", "runbook"],
  librarian: async () => ({ delegate: [{ to: "status" }, { to: "runbook" }] }),
});
deepEqual(router.check().problems, []);

const run = router.start("Is checkout up, and what do we do if not?");
const response = await run.response;
console.log(response.answer, "\n");
console.log(printTree(run.explain()), "\n");

equal(
  response.answer,
  "## Status page\n\n- checkout is down: Out of memory since 14:02.\n\n## runbook\n\nRoll checkout back.",
);

server.closeAllConnections();
await once(server.close(), "close");
const without = await router.ask("Is checkout up?");
for (const { to, code, message } of without.metadata?.missing ?? []) {
  console.log(`missing: ${to}, ${code}: ${message}`);
}

equal(without.answer, "Roll checkout back.");
equal(without.partial, true);
deepEqual(
  without.metadata?.missing?.map(({ to, code }) => [to, code]),
  [["status", "DATA_SOURCE_ERROR"]],
);
await router.close();
