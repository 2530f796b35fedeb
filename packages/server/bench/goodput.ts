/**
 * Measures goodput: answers a second, at the server's capacity and at ten times that.
 *
 * The librarian takes 100 ms, the server has 32 places: 320 answers a second are its capacity. A
 * second process sends requests of 64 users at a fixed rate, whatever comes back, as many independent callers do.
 * Beside it, how long a caller waits for a refusal.
 *
 *   npm run bench:goodput -w @constellation/server -- [seconds] [connections]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer as createHttpServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createRouter } from "@constellation/core";
import { createServer } from "@constellation/server";

const users = Array.from({ length: 64 }, (_, index) => ({
  token: `a-token-for-the-benchmark-${index}`,
  user: { id: `user-${index}` },
}));
const answerMs = 100;
const places = 32;
const capacity = (places * 1_000) / answerMs;
const body = JSON.stringify({
  query: "How do I roll back checkout?",
  metadata: { text: "x".repeat(2_000) },
});

/** What came back within one measurement. */
interface Count {
  answered: number;
  refused: number;
  failed: number;
  /** How long each refusal took, in milliseconds. */
  refusalMs: number[];
}

const [role, ...values] = process.argv.slice(2);
if (role === "load") {
  const [url = "", rate, seconds, connections] = values;
  await load(url, Number(rate), Number(seconds), Number(connections));
} else await measure(Number(role ?? 5), Number(values[0] ?? 240));

async function measure(seconds: number, connections: number): Promise<void> {
  const router = createRouter();
  router.register({
    id: "slow",
    description: `Answers after ${answerMs} ms.`,
    librarian: () =>
      new Promise((resolve) => setTimeout(() => resolve({ answer: "Roll it back." }), answerMs)),
  });
  const server = await createServer(router, {
    auth: { tokens: users },
    limits: {
      concurrency: places,
      requestsPerMinute: Number.POSITIVE_INFINITY,
      connectionsPerAddress: connections,
    },
  });
  const { url } = await server.listen();
  let peak = 0;
  const bare = createHttpServer((asked, reply) => {
    asked.resume().once("end", () => reply.writeHead(503).end());
  }).listen(0, "127.0.0.1");
  await once(bare, "listening");
  const { port } = bare.address() as AddressInfo;
  const refusing = await loadFromOutside(
    `http://127.0.0.1:${port}`,
    capacity * 10,
    seconds,
    connections,
  );
  console.log(
    `node:http that only refuses, ${capacity * 10} offered a second: ${quantile(refusing.refusalMs, 0.5)} ms, p99 ${quantile(refusing.refusalMs, 0.99)} ms`,
  );
  bare.close();
  console.log("offered/s   answered/s   refused/s   failed/s   of peak   refusal p50 ms   p99 ms");
  for (const factor of [0.5, 0.8, 1, 2, 5, 10]) {
    const offered = capacity * factor;
    const count = await loadFromOutside(url, offered, seconds, connections);
    const { answered, refused, failed, refusalMs } = count;
    peak = Math.max(peak, answered);
    const cells = [offered, answered / seconds, refused / seconds, failed / seconds].map((value) =>
      value.toFixed(0).padStart(9),
    );
    const ofPeak = `${((100 * answered) / peak).toFixed(0)} %`.padStart(7);
    console.log(
      `${cells.join("   ")}   ${ofPeak}   ${quantile(refusalMs, 0.5).padStart(14)}   ${quantile(refusalMs, 0.99).padStart(6)}`,
    );
  }
  await server.close();
  await router.close();
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0);
}

function loadFromOutside(
  url: string,
  rate: number,
  seconds: number,
  connections: number,
): Promise<Count> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [
      "load",
      url,
      ...[rate, seconds, connections].map(String),
    ]);
    child.once("message", (count) => resolve(count as Count)); // `load` sends one
    child.once("exit", (code) => code !== 0 && reject(new Error(`The load ended with ${code}.`)));
  });
}

async function load(
  url: string,
  rate: number,
  seconds: number,
  connections: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const count: Count = { answered: 0, refused: 0, failed: 0, refusalMs: [] };
  const started = performance.now();
  const endsAt = started + seconds * 1_000;
  let sent = 0;
  let open = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(rate * seconds, ((performance.now() - started) / 1_000) * rate);
      // A caller that finds no free connection gives up: the queue is the server's affair, not ours.
      for (; sent < due; sent++) if (open < connections) send();
      if (performance.now() < endsAt) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  agent.destroy();
  process.send?.(count, () => process.exit(0));

  function send(): void {
    open++;
    const sentAt = performance.now();
    const over = () => {
      open--;
    };
    const sending = request(
      `${url}/ask`,
      {
        agent,
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(body)),
          authorization: `Bearer ${users[sent % users.length]?.token}`,
        },
      },
      (response) => {
        response.resume().once("end", () => {
          if (response.statusCode === 200) count.answered++;
          else if (response.statusCode === 503 || response.statusCode === 429) {
            count.refused++;
            count.refusalMs.push(performance.now() - sentAt);
          } else count.failed++;
        });
      },
    );
    sending.once("error", () => count.failed++).once("close", over);
    sending.end(body);
  }
}
