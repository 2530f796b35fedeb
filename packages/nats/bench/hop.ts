/**
 * One remote hop against a bare NATS request-reply of the same size, in the same run: one after the other, and
 * with 100 in flight. Server, caller and librarian are three processes.
 *
 * `node packages/nats/bench/hop.ts [calls]`, with Node.js 24 and built packages: without them the figures are those
 * of a loader.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { startNatsServer } from "@constellation/nats/testing";
import { serveLibrarians } from "@constellation/transport";
import { connect } from "@nats-io/transport-node";

/** Turns of each of the two. */
const rounds = 9;

const [role = "9000", url = ""] = process.argv.slice(2);

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
  process.once("disconnect", () => process.exit(0));
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
  for (const work of [request, hop]) await timed(work, Math.ceil(calls / 4), 20); // warm up
  console.log(
    "| | in flight | p50 ms | p99 ms | per second | CPU of the caller, µs |\n| --- | --: | --: | --: | --: | --: |",
  );
  for (const inFlight of [1, 100]) {
    // In turns: what else the machine does meets both.
    const turns = { request: [] as Timed[], hop: [] as Timed[] };
    for (let turn = 0; turn < rounds; turn++) {
      turns.request.push(await timed(request, calls / rounds, inFlight));
      turns.hop.push(await timed(hop, calls / rounds, inFlight));
    }
    const [base, remote] = [medianOf(turns.request), medianOf(turns.hop)];
    for (const [name, { p50, p99, rate, cpuUs }] of [
      ["request-reply", base],
      ["remote hop", remote],
    ] as const) {
      console.log(
        `| ${name} | ${inFlight} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${Math.round(rate)} | ${Math.round(cpuUs)} |`,
      );
    }
    const latency = (remote.p50 / base.p50).toFixed(2);
    console.log(
      `| ratio | ${inFlight} | ${latency} | | ${(remote.rate / base.rate).toFixed(2)} | |`,
    );
  }
  await router.close();
  await bare.close();
  child.disconnect();
  await once(child, "exit");
  await server.stop();
}

interface Timed {
  readonly p50: number;
  readonly p99: number;
  readonly rate: number;
  readonly cpuUs: number;
}

async function timed(work: () => Promise<void>, calls: number, inFlight: number): Promise<Timed> {
  const times: number[] = [];
  let left = calls;
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
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
  const { user, system } = process.cpuUsage(cpu);
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    p50: at(0.5),
    p99: at(0.99),
    rate: times.length / seconds,
    cpuUs: (user + system) / times.length,
  };
}

/** Each figure by itself. */
function medianOf(turns: readonly Timed[]): Timed {
  const median = (of: (turn: Timed) => number) => {
    const sorted = turns.map(of).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    rate: median(({ rate }) => rate),
    cpuUs: median(({ cpuUs }) => cpuUs),
  };
}
