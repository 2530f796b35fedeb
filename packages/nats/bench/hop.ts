/**
 * One remote hop against a bare NATS request-reply of the same size, in the same run: one after the other, and
 * with 100 in flight. Server, caller and librarian are three processes.
 *
 * `node --conditions=@constellation/source --import @oxc-node/core/register packages/nats/bench/hop.ts [calls]`
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createRouter } from "@constellation/core";
import { serveLibrarians } from "@constellation/core/transport";
import { createNatsTransport } from "@constellation/nats";
import { startNatsServer } from "@constellation/nats/testing";
import { connect } from "@nats-io/transport-node";

const [role = "2000", url = ""] = process.argv.slice(2);

if (role === "serve") await serve();
else await measure(Number(role));

/** The other process: a librarian, and a bare responder with a reply of the same size. */
async function serve(): Promise<void> {
  const transport = createNatsTransport({ servers: url, mesh: "bench" });
  const router = createRouter({ transport });
  const answer = "x".repeat(200);
  router.register({ id: "echo", description: "answers", librarian: async () => ({ answer }) });
  serveLibrarians(router, transport);
  await router.open();
  const bare = await connect({ servers: url });
  const reply = new TextEncoder().encode("x".repeat(1_000));
  bare.subscribe("bare", { callback: (_error, message) => void message.respond(reply) });
  await bare.flush();
  process.send?.("ready");
}

async function measure(calls: number): Promise<void> {
  const server = await startNatsServer();
  const child = fork(fileURLToPath(import.meta.url), ["serve", server.url], {
    execArgv: process.execArgv,
  });
  await once(child, "message");
  const bare = await connect({ servers: server.url });
  const payload = new TextEncoder().encode("x".repeat(600));
  const transport = createNatsTransport({ servers: server.url, mesh: "bench" });
  const router = createRouter({ transport });
  await router.open();
  const request = async () => void (await bare.request("bare", payload, { timeout: 10_000 }));
  const hop = async () => {
    const { error } = await router.ask("q", { to: "echo" });
    if (error !== undefined) throw new Error(error.message);
  };
  for (const work of [request, hop]) await timed(work, Math.ceil(calls / 10), 10); // warm up
  console.log("| | in flight | p50 ms | p99 ms | per second |\n| --- | --: | --: | --: | --: |");
  for (const inFlight of [1, 100]) {
    for (const [name, work] of [
      ["request-reply", request],
      ["remote hop", hop],
    ] as const) {
      const { p50, p99, rate } = await timed(work, calls, inFlight);
      console.log(
        `| ${name} | ${inFlight} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${Math.round(rate)} |`,
      );
    }
  }
  await router.close();
  await bare.close();
  child.kill("SIGKILL");
  await server.stop();
}

async function timed(work: () => Promise<void>, calls: number, inFlight: number) {
  const times: number[] = [];
  let left = calls;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const at = performance.now();
        await work();
        times.push(performance.now() - at);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), rate: times.length / seconds };
}
