/**
 * The whole HTTP API and the console page of a mesh, under a path of an Express application: starts it on a free
 * port, asks it as clients do, checks what comes back, and fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/embed-express/src/main.ts
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createRouter } from "@constellation/core";
import { createHandler } from "@constellation/server";
import express from "express";

const router = createRouter();
router.register({
  id: "runbook",
  description: "knows what to do",
  librarian: async (query, { user }) => ({
    answer: `${user?.id ?? "someone"}: drain the queue before you ${query}.`,
  }),
});

const mesh = createHandler(router, { basePath: "/mesh" });
/** The application's own authentication; the mesh gets its result. */
const userOf = (name: string | string[] | undefined) =>
  typeof name === "string" ? { id: name } : undefined;

const app = express();
app.use(
  "/mesh",
  mesh.nodeListener(({ headers }) => ({ user: userOf(headers["x-user"]) })),
);
app.use(express.json()); // after the mesh, which reads its bodies itself
app.post("/shop", (request, response) => {
  response.send(`The shop sold ${request.body.item}.`);
});

const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo; // it listens on TCP
const url = `http://127.0.0.1:${port}`;

const sold = await (await post("/shop", { item: "bread" })).text();
const page = await (await fetch(`${url}/mesh`)).text();
console.log(sold, /<title>(.*)<\/title>/.exec(page)?.[1]);

const refused = await post("/mesh/ask", { query: "restart billing" });
const answered = await post("/mesh/ask", { query: "restart billing" }, { "x-user": "ann" });
const { answer } = await answered.json();
console.log(refused.status, answered.status, answer);

const stream = await fetch(`${url}/mesh/ask/stream?query=restart`, {
  headers: { "x-user": "ann" },
});
const events = [...(await stream.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
console.log(events.join(", "));

equal(sold, "The shop sold bread.");
match(page, /src="\/mesh\/console\/main\.js"/);
deepEqual([refused.status, answered.status], [401, 200]);
equal(answer, "ann: drain the queue before you restart billing.");
deepEqual(events.at(-1), "response");

await mesh.close();
server.close();
server.closeAllConnections();
await router.close();

function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
