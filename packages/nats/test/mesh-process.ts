/**
 * A process of a mesh, for tests: serves one librarian, and reports each call of it on a line of its
 * standard output. Arguments: server, mesh, id of the librarian, what it does: `answer`, `hang`, or
 * the id of its delegate.
 */
import { createRouter } from "@constellation/core";
import { serveLibrarians } from "@constellation/core/transport";
import { createNatsTransport } from "@constellation/nats";

const [servers = "", mesh = "", id = "", does = "answer"] = process.argv.slice(2);

const transport = createNatsTransport({
  servers,
  mesh,
  heartbeatMs: 100,
  lostAfterMs: 2_000,
  presenceMs: 200,
});
const router = createRouter({ transport });
router.register({
  id,
  description: `answers as ${id}`,
  librarian: async (_query, context) => {
    console.log("called");
    context?.signal?.addEventListener("abort", () => console.log("cancelled"));
    if (does === "hang") return new Promise(() => {});
    if (does !== "answer") return { delegate: { to: does } };
    return { answer: `by ${process.pid}` };
  },
});
serveLibrarians(router, transport);
await router.open();
process.once("SIGTERM", () => {
  void transport
    .close()
    .then(() => router.close())
    .then(() => process.exit(0));
});
console.log("ready");
