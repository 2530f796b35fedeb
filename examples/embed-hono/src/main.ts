/**
 * The whole HTTP API and the console page of a mesh, under a path of a Hono application: starts it on a free port,
 * asks it as clients do, checks what comes back, and fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/embed-hono/src/main.ts
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createRouter } from "@constellation/core";
import { createHandler } from "@constellation/server";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

let onStop: (reason: string) => void = () => undefined;
const stopped = new Promise<string>((resolve) => {
  onStop = resolve;
});

const router = createRouter({ entry: "runbook" });
router.register({
  id: "runbook",
  description: "knows what to do",
  librarian: async (query) => ({ answer: `Drain the queue before you ${query}.` }),
});
router.register({
  id: "archive",
  description: "reads until it is stopped",
  librarian: async (_query, { signal }) => {
    await once(signal, "abort");
    onStop(signal.reason.message);
    return { error: { code: "TIMEOUT", message: "It stopped at its signal." } };
  },
});

const mesh = createHandler(router, { basePath: "/mesh", allowAnonymous: true });
const app = new Hono();
app.get("/", (context) => context.text("The shop is open."));
app.all("/mesh/*", ({ req }) => mesh(req.raw));
app.all("/mesh", ({ req }) => mesh(req.raw));

const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
await once(server, "listening");
const { port } = server.address() as AddressInfo; // it listens on TCP
const url = `http://127.0.0.1:${port}`;

const shop = await (await fetch(url)).text();
const page = await (await fetch(`${url}/mesh`)).text();
console.log(shop, /<title>(.*)<\/title>/.exec(page)?.[1]);

const answered = await fetch(`${url}/mesh/ask`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query: "restart billing" }),
});
const { answer } = await answered.json();
console.log(answered.status, answer);

const stream = await fetch(`${url}/mesh/ask/stream?query=restart`);
const events = [...(await stream.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
console.log(events.join(", "));

const client = new AbortController();
await fetch(`${url}/mesh/ask/stream?query=read&to=archive`, { signal: client.signal });
client.abort();
const reason = await stopped;
console.log(`the archive stopped: ${reason}`);

equal(shop, "The shop is open.");
match(page, /src="\/mesh\/console\/main\.js"/);
equal(answer, "Drain the queue before you restart billing.");
deepEqual(events.at(-1), "response");
equal(reason, "The caller cancelled.");

await mesh.close();
server.close();
await router.close();
