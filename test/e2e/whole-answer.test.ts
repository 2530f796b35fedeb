import { createA2AHandler, createA2ALibrarian } from "@constellation/a2a";
import { createRouter, type Response, type Router } from "@constellation/core";
import { createMcpHandler, createMcpLibrarian } from "@constellation/mcp";
import { createNatsTransport } from "@constellation/nats";
import { hasNatsServer, startNatsServer } from "@constellation/nats/testing";
import { createServer, type ServerOptions } from "@constellation/server";
import { createHttpTransport, serveLibrarians, type Transport } from "@constellation/transport";
import { decodeReply } from "@constellation/transport/envelope";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../packages/transport/test/free-ports.js";

/** Markdown of 15,000 characters, with what Markdown has. */
const long = `# Restart it

1. \`kubectl rollout restart deploy/checkout\`
2. See https://example.test/runbook & wait: 5 > 3.

| pod | restarts |
| --- | ---: |
| checkout-1 | 7 |

\`\`\`sh
if [ "$a" -lt 3 ]; then echo "<none>"; fi
\`\`\`
${"\nIt was **restarted** twice before.".repeat(400)}`;

const answers: Readonly<Record<string, Response>> = {
  plain: { answer: "so" },
  unsure: { answer: "maybe", confidence: 0.3, partial: true, sources: [] },
  whole: {
    answer: long,
    headline: "It was **restarted** twice.",
    confidence: 0.85,
    sources: [
      { name: "runbooks/checkout.md#Restart", url: "https://example.test/r", type: "document" },
      { name: "pod/checkout-1", relevance: 0.5 },
    ],
    metadata: { facts: [{ resource: "pod/checkout-1", restarts: 7 }], ratio: 1e-7 },
  },
  partial: { answer: "half of it", partial: true, confidence: 0.9 },
};

function meshOf(name: string): Router {
  const router = createRouter({ name, entry: "front" });
  register(router);
  onTestFinished(() => router.close());
  return router;
}

function register(router: Router): void {
  router.register({
    id: "front",
    description: "answers by name",
    librarian: async (query) => answers[query] ?? { answer: "unknown" },
  });
}

async function serve(mounts: (router: Router) => ServerOptions["mounts"]): Promise<string> {
  const router = meshOf("remote");
  const server = await createServer(router, { mounts: mounts(router), console: false });
  onTestFinished(() => server.close());
  return (await server.listen()).url;
}

/** A process that asks, and one that serves, over the same kind of transport. */
async function connect(serving: Transport, asking: Transport): Promise<Router> {
  const server = createRouter({ transport: serving });
  register(server);
  serveLibrarians(server, serving);
  onTestFinished(() => server.close());
  await server.open();
  const router = createRouter({ transport: asking });
  onTestFinished(() => router.close());
  await router.open();
  await expect
    .poll(() => router.list().map(({ id }) => id), { timeout: 20_000 })
    .toContain("front");
  return router;
}

type Ask = (query: string) => Promise<unknown>;

const ways: Readonly<Record<string, () => Promise<Ask>>> = {
  async a2a() {
    const url = await serve((router) => ({ "/a2a": createA2AHandler(router) }));
    const router = createRouter({ name: "local" });
    router.register(createA2ALibrarian({ id: "next", url: `${url}/a2a` }));
    onTestFinished(() => router.close());
    return (query) => router.ask(query, { to: "next" });
  },
  async mcp() {
    const url = await serve((router) => ({ "/mcp": createMcpHandler(router) }));
    const router = createRouter({ name: "local" });
    const server = { url: `${url}/mcp` };
    router.register(createMcpLibrarian({ id: "next", description: "asks", server, tool: "query" }));
    onTestFinished(() => router.close());
    return (query) => router.ask(query, { to: "next" });
  },
  async "http, between processes"() {
    const port = await freePort();
    const token = "a-token-of-some-length";
    const router = await connect(
      createHttpTransport({ mesh: "m", token, listen: { port } }),
      createHttpTransport({ mesh: "m", token, peers: [`http://127.0.0.1:${port}`] }),
    );
    return (query) => router.ask(query, { to: "front" });
  },
  async "http, of the server"() {
    const url = await serve(() => ({}));
    return async (query) => {
      const reply = await fetch(`${url}/ask`, {
        method: "POST",
        headers: { "content-type": "application/json", "constellation-envelope": "1" },
        body: JSON.stringify({ query, call: { v: 1, path: [] } }),
      });
      return decodeReply(await reply.json());
    };
  },
  async nats() {
    const server = await startNatsServer();
    onTestFinished(() => server.stop());
    const open = () => createNatsTransport({ servers: server.url, mesh: "m" });
    const router = await connect(open(), open());
    return (query) => router.ask(query, { to: "front" });
  },
};

describe.each(Object.keys(ways))("an answer over %s", (way) => {
  it.skipIf(way === "nats" && !hasNatsServer())("is the one that the librarian gave", async () => {
    const ask = await ways[way]?.();
    const local = meshOf("local");
    for (const query of Object.keys(answers)) {
      expect(await ask?.(query)).toEqual(await local.ask(query));
    }
  });
});
