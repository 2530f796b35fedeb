/**
 * The whole HTTP API and the console page of a mesh, under a path of an application of `node:http`: starts it on a
 * free port, asks it as clients do, checks what comes back, and fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/embed-http/src/main.ts
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRouter } from "@constellation/core";
import { createHandler } from "@constellation/server";

const router = createRouter();
router.register({
  id: "runbook",
  description: "knows what to do",
  librarian: async (query, { user }) => ({
    answer: `${user?.id ?? "someone"}: drain the queue before you ${query}.`,
  }),
});

const handler = createHandler(router, { basePath: "/mesh" });
/** The application's own authentication; the mesh gets its result. */
const userOf = (name: string | string[] | undefined) =>
  typeof name === "string" ? { id: name } : undefined;
const mesh = handler.nodeListener(({ headers }) => ({ user: userOf(headers["x-user"]) }));

const application = createServer((request, response) => {
  if (request.url?.startsWith("/mesh")) mesh(request, response);
  else response.end("The shop is open.\n");
});
await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve));
const { port } = application.address() as AddressInfo; // it listens on TCP
const url = `http://127.0.0.1:${port}`;

const shop = await (await fetch(url)).text();
const page = await (await fetch(`${url}/mesh`)).text();
console.log(shop.trim(), /<title>(.*)<\/title>/.exec(page)?.[1]);

const refused = await ask("restart billing");
const answered = await ask("restart billing", { "x-user": "ann" });
const { answer } = await answered.json();
console.log(refused.status, answered.status, answer);

const stream = await fetch(`${url}/mesh/ask/stream?query=restart`, {
  headers: { "x-user": "ann" },
});
const events = [...(await stream.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
console.log(events.join(", "));

equal(shop, "The shop is open.\n");
match(page, /src="\/mesh\/console\/main\.js"/);
deepEqual([refused.status, answered.status], [401, 200]);
equal(answer, "ann: drain the queue before you restart billing.");
deepEqual(events.at(-1), "response");

await handler.close();
application.close();
application.closeAllConnections();
await router.close();

function ask(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/mesh/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query }),
  });
}
