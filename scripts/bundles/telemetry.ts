import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createRouter } from "@constellation/core";
import { startTelemetry } from "@constellation/telemetry";

/** What a collector gets, as far as it is printed here. */
interface Batch {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[];
  }[];
}

const collector = createServer((request, response) => {
  void json(request).then((body) => {
    const { resourceSpans } = body as Batch; // as the exporter writes it
    const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
    console.log(scopes.flatMap(({ spans }) => spans.map(({ name }) => name)));
    response.end("{}");
  });
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
const address = collector.address();
const port = typeof address === "object" ? address?.port : undefined;

const telemetry = await startTelemetry({ endpoint: `http://127.0.0.1:${port}` });
const router = createRouter({ name: "help-desk" });
router.register({
  id: "docs",
  librarian: async (query) => ({ answer: query }),
  description: "answers",
});
await router.ask("Ready?"); // the first run has its spans too
await telemetry.shutdown();
await router.close();
collector.closeAllConnections();
collector.close();
