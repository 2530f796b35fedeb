/**
 * What questions cost over the API of a live cluster of 3,000 pods and 5,000 events: own time (CPU of this
 * process), the heap at its largest (garbage that was not collected yet included), and requests. The server runs in a process of its own and is not counted.
 *
 * Fails when a question about one workload takes a second of own time, or the heap grows by 100 MiB. Run with
 * `npm run bench:live -w librarians/k8s`.
 *
 * With `-- --real` the server is a real one, whose programs are found as `docs/live.md` says: then it measures the time until
 * the answer, bytes that were read and the growth of the process, and fails over 1 s and 0.5 MB for a workload, 4 s and 25 MB
 * for the cluster, or 100 MB of growth.
 */
import { fork } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { textAt } from "../src/cluster/fields.js";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { startFakeApiServer } from "../test/fake-api-server.js";
import { findControlPlane, startRealApiServer } from "../test/real-api-server.js";
import { generateCluster } from "./generate-cluster.js";

const maxMs = 1_000;
const maxHeapMb = 100;
const rounds = 3;
const questions = [
  "Why does deployment workload-7 in namespace team-7 keep restarting?",
  "Why does workload-7 keep restarting?",
  "What is wrong in the cluster?",
];

async function serve(): Promise<void> {
  const all = generateCluster({ pods: 3_000, events: 5_000, nodes: 150 });
  const server = await startFakeApiServer({
    objects: all.filter((one) => textAt(one, "kind") !== "Event"),
    events: all.filter((one) => textAt(one, "kind") === "Event"),
    newerEvents: [],
    logs: {},
    podMetrics: [],
    nodeMetrics: [],
  });
  process.on("message", (message) => {
    if (message === "count") process.send?.({ requests: server.requests.length });
    else void server.close().then(() => process.exit(0));
  });
  process.send?.({ kubeconfig: server.kubeconfig });
}

/** Limits against a real server, by question. */
const limits = [
  { ms: 1_000, bytes: 500_000 },
  { ms: 1_000, bytes: 500_000 },
  { ms: 4_000, bytes: 25_000_000 },
];
const maxGrowth = 100_000_000;

/** Bytes that came in over all connections so far. */
function countBytes(): () => number {
  const sockets = new Set<Socket>();
  subscribe("http.client.response.finish", (message) => {
    const { response } = message as { readonly response: IncomingMessage }; // as the channel documents
    sockets.add(response.socket);
  });
  return () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
}

async function measureReal(): Promise<void> {
  const { found, missing } = findControlPlane();
  if (found === undefined) throw new Error(`Not found: ${missing}. See docs/live.md.`);
  const server = await startRealApiServer(found);
  try {
    const refused = await server.create(
      generateCluster({ pods: 3_000, events: 5_000, nodes: 150, isWhole: true }),
    );
    if (refused.length > 0) throw new Error(`${refused.length} were refused: ${refused[0]}`);
    const read = countBytes();
    const { librarian, close } = createK8sLibrarian({ kubeconfig: server.kubeconfig });
    // The first question loads the client library.
    await librarian("Is node-1 ready?");
    for (const [index, question] of questions.entries()) {
      globalThis.gc?.();
      const before = { bytes: read(), rss: process.memoryUsage().rss, at: performance.now() };
      let rss = before.rss;
      const sampling = setInterval(() => {
        rss = Math.max(rss, process.memoryUsage().rss);
      }, 5);
      const cpu = process.cpuUsage();
      const { answer = "" } = await librarian(question);
      clearInterval(sampling);
      const { user, system } = process.cpuUsage(cpu);
      if (!answer.includes("OOMKilled")) throw new Error("The answer does not say what is wrong.");
      const ms = Math.round(performance.now() - before.at);
      const ownMs = Math.round((user + system) / 1_000);
      const bytes = read() - before.bytes;
      const growth = rss - before.rss;
      console.log(JSON.stringify({ question, ms, ownMs, bytes, growth }));
      const limit = limits[index];
      if (limit !== undefined && (ms >= limit.ms || bytes >= limit.bytes || growth >= maxGrowth))
        process.exitCode = 1;
    }
    await close?.(AbortSignal.timeout(1_000));
  } finally {
    await server.stop();
  }
}

async function measure(): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ["serve"], { execArgv: process.execArgv });
  const ask = async (message: string): Promise<unknown> => {
    child.send(message);
    const [answer] = await once(child, "message");
    return answer;
  };
  try {
    const [ready] = await once(child, "message");
    const { kubeconfig } = ready as { readonly kubeconfig: string }; // sent by serve()
    const { librarian, close } = createK8sLibrarian({ kubeconfig });
    let before = 0;
    for (const question of questions) {
      const times: number[] = [];
      let heap = 0;
      let requests = 0;
      for (let round = 0; round < rounds; round++) {
        globalThis.gc?.();
        const start = process.memoryUsage().heapUsed;
        const cpu = process.cpuUsage();
        let most = start;
        const sampling = setInterval(() => {
          most = Math.max(most, process.memoryUsage().heapUsed);
        }, 5);
        const { answer = "" } = await librarian(question);
        clearInterval(sampling);
        const { user, system } = process.cpuUsage(cpu);
        times.push((user + system) / 1_000);
        heap = Math.max(heap, most - start);
        if (!answer.includes("OOMKilled"))
          throw new Error("The answer does not say what is wrong.");
        const count = (await ask("count")) as { readonly requests: number }; // sent by serve()
        requests = count.requests - before;
        before = count.requests;
      }
      const ownMs = Math.round(times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0);
      const heapMb = Math.round(heap / 1_048_576);
      console.log(JSON.stringify({ question, ownMs, heapMb, requests }));
      const isNamed = question !== questions.at(-1);
      if ((isNamed && ownMs >= maxMs) || heapMb >= maxHeapMb) process.exitCode = 1;
    }
    await close?.(AbortSignal.timeout(1_000));
  } finally {
    child.send("stop");
  }
}

const what = process.argv[2];
await (what === "serve" ? serve() : what === "--real" ? measureReal() : measure());
