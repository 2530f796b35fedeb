/**
 * A burst of reads at default settings: how many are answered, refused, cancelled, and done twice. Then what members
 * cost while no one asks: messages a second that the server sends to 50, 200 and 1,000 processes, each a transport
 * with one librarian; all of them are in this process, so the last ones take minutes to open.
 *
 * `node --conditions=@constellation/source --import tsx packages/nats/bench/members.ts [reads]`
 */
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createRouter, type Router } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { startNatsServer } from "@constellation/nats/testing";
import { serveLibrarians } from "@constellation/transport";

/** Time over which messages are counted, in milliseconds. */
const countMs = 15_000;

const reads = Number(process.argv[2] ?? 10_000);

await measureBurst();
await measureIdle([50, 200, 1_000]);
process.exit(0);

async function measureIdle(counts: readonly number[]): Promise<void> {
  const monitor = randomInt(33_000, 40_000);
  const server = await startNatsServer(`http: "127.0.0.1:${monitor}"`);
  const messages = async (): Promise<number> => {
    const reply = await fetch(`http://127.0.0.1:${monitor}/varz`);
    return ((await reply.json()) as { readonly out_msgs: number }).out_msgs;
  };
  let members = 0;
  for (const count of counts) {
    while (members < count) {
      const transport = createNatsTransport({ servers: server.url, mesh: "idle" });
      const id = `librarian-${members++}`;
      transport.serve({ id, description: id }, () => Promise.reject(new Error("It only counts.")));
      await transport.open();
    }
    await pause(5_000);
    const [before, at, usage] = [await messages(), performance.now(), process.cpuUsage()];
    await pause(countMs);
    const seconds = (performance.now() - at) / 1_000;
    const { user, system } = process.cpuUsage(usage);
    console.log(
      `${count} idle processes: ${Math.round(((await messages()) - before) / seconds)} messages a second, ` +
        `${((user + system) / 10_000 / seconds / count).toFixed(3)} % of a core each`,
    );
  }
  await server.stop();
}

/** Three processes answer; a fourth asks all at once. */
async function measureBurst(): Promise<void> {
  const server = await startNatsServer();
  const done = new Map<string, number>();
  const routers: Router[] = [];
  for (let replica = 0; replica < 3; replica++) {
    const transport = createNatsTransport({ servers: server.url, mesh: "burst" });
    const router = createRouter({ transport });
    router.register({
      id: "echo",
      description: "answers",
      librarian: async (query) => {
        done.set(query, (done.get(query) ?? 0) + 1);
        await pause(5);
        return { answer: query };
      },
    });
    serveLibrarians(router, transport);
    await router.open();
    routers.push(router);
  }
  const caller = createRouter({
    transport: createNatsTransport({ servers: server.url, mesh: "burst" }),
  });
  await caller.open();
  const outcomes = new Map<string, number>();
  const at = performance.now();
  await Promise.all(
    Array.from({ length: reads }, async (_, index) => {
      const { answer, error } = await caller.ask(`q${index}`, { to: "echo" });
      const outcome =
        answer === `q${index}`
          ? "answered"
          : `${error?.code} ${String(error?.details?.reason ?? "")}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }),
  );
  const twice = [...done.values()].filter((count) => count > 1).length;
  console.log(
    `a burst of ${reads} reads, ${Math.round(performance.now() - at)} ms: ${JSON.stringify(Object.fromEntries(outcomes))}, done twice: ${twice}`,
  );
  await Promise.all([...routers, caller].map((router) => router.close()));
  await server.stop();
}
