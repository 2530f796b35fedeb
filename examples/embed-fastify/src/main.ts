/**
 * A mesh inside a web service: starts it on a free port, asks it as clients do, checks what comes
 * back, and fails when it is wrong.
 *
 *     node --conditions=@constellation/source --import tsx examples/embed-fastify/src/main.ts
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { createMesh } from "./mesh.js";
import { createService } from "./service.js";

let stop: (year: number) => void = () => {};
const stopped = new Promise<number>((resolve) => {
  stop = resolve;
});

const service = createService(createMesh({ onStop: (year) => stop(year) }));
const url = await service.listen({ host: "127.0.0.1", port: 0 });

console.log("# One question, one answer\n");
const reply = await post({ query: "How do I restart billing?" });
const { answer, sources } = JSON.parse(reply.body);
console.log(reply.status, answer, sources);

equal(reply.status, 200);
equal(answer, "Drain the queue, then restart billing.");

console.log("\n# No question\n");
const refused = await post({ query: "" });
console.log(refused.status, JSON.parse(refused.body).message);

equal(refused.status, 400);

console.log("\n# As it happens\n");
const seen: string[] = [];
for await (const event of stream("What is the history of billing?")) {
  console.log(event.name, event.data);
  seen.push(event.name);
}

deepEqual(seen, ["hop", "hop", ...Array.from({ length: 7 }, () => "progress"), "response"]);

console.log("\n# A client that leaves\n");
for await (const { name, data } of stream("What is the history of billing?")) {
  console.log(name, data);
  if (name === "progress" && data.includes("2021")) break; // closes the connection
}
const year = await stopped;
console.log("the archive stopped half-way");

ok(year < 2026, `it went on until ${year}`);

console.log("\n# The page, and the whole API\n");
const page = await (await fetch(`${url}/mesh`)).text();
const run = await fetch(`${url}/mesh/ask`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query: "How do I restart billing?" }),
});
console.log(/<title>(.*)<\/title>/.exec(page)?.[1], run.status, (await run.json()).answer);

ok(page.includes('src="/mesh/console/main.js"'));
equal(run.status, 200);
await service.close();

async function post(body: unknown): Promise<{ readonly status: number; readonly body: string }> {
  const response = await fetch(`${url}/ask`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.text() };
}

/** Reads server-sent events, one at a time; leaving the loop hangs up. */
async function* stream(query: string) {
  const response = await fetch(`${url}/ask?query=${encodeURIComponent(query)}`);
  equal(response.headers.get("content-type"), "text/event-stream");
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (text + chunk).split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const [, name = "", data = ""] = /^event: (.+)\ndata: (.+)$/.exec(part) ?? [];
      yield { name, data };
    }
  }
}
