/**
 * A process of a mesh over NATS with a tracing SDK of its own. Serves the librarian `docs`, which answers
 * with the baggage that it finds; once it is asked to end it prints its spans as JSON. Arguments: server, mesh.
 */
import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { serveLibrarians } from "@constellation/transport";
import { context, propagation } from "@opentelemetry/api";
import { keepSpans } from "./keep-spans.js";

const [servers = "", mesh = ""] = process.argv.slice(2);

const spans = keepSpans();
const transport = createNatsTransport({ servers, mesh });
const router = createRouter({ name: "worker", transport });
router.register({
  id: "docs",
  description: "answers with its baggage",
  librarian: async () => ({
    answer: propagation.getBaggage(context.active())?.getEntry("tenant")?.value ?? "none",
  }),
});
serveLibrarians(router, transport);
await router.open();
process.once("SIGTERM", () => {
  void transport
    .close()
    .then(() => router.close())
    .then(() => {
      console.log(JSON.stringify(spans.finished()));
      process.exit(0);
    });
});
console.log("ready");
