/**
 * How a mesh grows: calls a second with one to four replicas of a librarian that waits, and what a router
 * costs that sees 40,000 librarians of 400 processes.
 *
 * `node --conditions=@constellation/source --import tsx packages/nats/bench/scale.ts [librarians]`
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { startNatsServer } from "@constellation/nats/testing";
import { serveLibrarians } from "@constellation/transport";

/** A replica works on this many calls at once, each of which waits this long, in milliseconds. */
const work = { atOnce: 10, waitMs: 200 };

/** Time for one measurement, in milliseconds. */
const measureMs = 5_000;

/** Processes that serve the many librarians. */
const processes = 400;

const [role = "40000", url = "", count = ""] = process.argv.slice(2);

if (role === "replica") await serveOne();
else if (role === "many") await serveMany(Number(count));
else if (role === "router") await openRouter();
else await measure(Number(role));

/** One replica. */
async function serveOne(): Promise<void> {
  const transport = createNatsTransport({ servers: url, mesh: "scale" });
  const router = createRouter({ transport });
  router.register({
    id: "slow",
    description: "waits",
    concurrency: work.atOnce,
    librarian: async () => {
      await pause(work.waitMs);
      return { answer: "so" };
    },
  });
  serveLibrarians(router, transport);
  await router.open();
  process.send?.("ready");
}

/** Many transports, as many processes have them; and one process that really answers. */
async function serveMany(librarians: number): Promise<void> {
  for (let index = 0; index < processes; index++) {
    const member = createNatsTransport({ servers: url, mesh: "many" });
    for (let each = 0; each < librarians / processes; each++) {
      const info = {
        id: `librarian-${index}-${each}`,
        description: `answers questions about subject ${each} of team ${index}`,
        capabilities: [`team-${index}.subject-${each}`],
      };
      member.serve(info, () => Promise.reject(new Error("It only counts.")));
    }
    await member.open();
  }
  const transport = createNatsTransport({ servers: url, mesh: "many" });
  const router = createRouter({ transport });
  router.register({ id: "real", description: "real", librarian: async () => ({ answer: "so" }) });
  serveLibrarians(router, transport);
  await transport.open();
  process.send?.("ready");
}

/** A router that only asks: how long it takes to start, and what it holds. */
async function openRouter(): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const startedAt = performance.now();
  const router = createRouter({
    transport: createNatsTransport({ servers: url, mesh: "many" }),
  });
  await router.open();
  const openMs = performance.now() - startedAt;
  const librarians = router.list().length;
  const { answer } = await router.ask("q", { to: "real" });
  globalThis.gc?.();
  const after = process.memoryUsage();
  process.send?.({
    librarians,
    answer,
    openMs,
    heapMb: (after.heapUsed - before.heapUsed) / 1_048_576,
    rssMb: (after.rss - before.rss) / 1_048_576,
  });
  await router.close();
  process.disconnect();
}

function start(...args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(import.meta.url), [...args], {
    execArgv: [...process.execArgv, "--expose-gc"],
  });
}

async function measure(librarians: number): Promise<void> {
  const server = await startNatsServer();
  console.log("| replicas | calls a second | p50 ms |\n| --: | --: | --: |");
  const replicas: ChildProcess[] = [];
  const transport = createNatsTransport({ servers: server.url, mesh: "scale" });
  const router = createRouter({ transport });
  await router.open();
  while (replicas.length < 4) {
    const replica = start("replica", server.url);
    await once(replica, "message");
    replicas.push(replica);
    while (transport.present()[0]?.replicas.length !== replicas.length) await pause(50);
    const { rate, p50 } = await load(async () => {
      const { error } = await router.ask("q", { to: "slow" });
      if (error !== undefined) throw new Error(error.message);
    });
    console.log(`| ${replicas.length} | ${Math.round(rate)} | ${Math.round(p50)} |`);
  }
  await router.close();
  for (const replica of replicas) replica.kill("SIGKILL");

  const many = start("many", server.url, String(librarians));
  await once(many, "message");
  const opened = start("router", server.url);
  console.log(JSON.stringify((await once(opened, "message"))[0]));
  many.kill("SIGKILL");
  await server.stop();
}

/** Keeps four replicas busy. */
async function load(ask: () => Promise<void>): Promise<{ rate: number; p50: number }> {
  const times: number[] = [];
  const endsAt = performance.now() + measureMs;
  await Promise.all(
    Array.from({ length: work.atOnce * 4 }, async () => {
      while (performance.now() < endsAt) {
        const at = performance.now();
        await ask();
        times.push(performance.now() - at);
      }
    }),
  );
  times.sort((one, other) => one - other);
  return {
    rate: (times.length / measureMs) * 1_000,
    p50: times[Math.floor(times.length / 2)] ?? Number.NaN,
  };
}
