/**
 * A process of a mesh, for tests: serves one librarian, and reports each call of it on a line of its
 * standard output. Arguments: server, mesh, id of the librarian, what it does: `answer`, `hang`, `block` (it keeps
 * its event loop busy for 5 s), or the id of its delegate.
 */
import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { serveLibrarians } from "@constellation/transport";

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
    if (does === "block") blockFor(5_000);
    else if (does !== "answer") return { delegate: { to: does } };
    return { answer: `by ${process.pid}` };
  },
});
/** Nothing else can run meanwhile. */
function blockFor(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

serveLibrarians(router, transport);
await router.open();
process.once("SIGTERM", () => {
  void transport
    .close()
    .then(() => router.close())
    .then(() => process.exit(0));
});
console.log("ready");
