/**
 * Measures goodput: answers a second, at the server's capacity and at ten times that.
 *
 * The librarian takes 100 ms, the server has 32 places: 320 answers a second are its capacity. A
 * second process sends requests at a fixed rate, whatever comes back, as many independent callers do.
 *
 *   npm run bench:goodput -w @constellation/server -- [seconds]
 */
import { fork } from "node:child_process";
import { Agent, request } from "node:http";
import { createRouter } from "@constellation/core";
import { createServer } from "@constellation/server";

const token = "a-token-for-the-benchmark";
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
}

const [role, url = "", rate = "0", seconds = "5"] = process.argv.slice(2);
if (role === "load") await load(url, Number(rate), Number(seconds));
else await measure(Number(role ?? "5"));

async function measure(seconds: number): Promise<void> {
  const router = createRouter();
  router.register({
    id: "slow",
    description: `Answers after ${answerMs} ms.`,
    librarian: () =>
      new Promise((resolve) => setTimeout(() => resolve({ answer: "Roll it back." }), answerMs)),
  });
  const server = await createServer(router, {
    auth: { tokens: [{ token }] },
    limits: { concurrency: places, requestsPerMinute: Number.POSITIVE_INFINITY },
  });
  const { url } = await server.listen();
  let peak = 0;
  console.log("offered/s   answered/s   refused/s   failed/s   of peak");
  for (const factor of [0.5, 0.8, 1, 2, 5, 10]) {
    const offered = capacity * factor;
    const { answered, refused, failed } = await loadFromOutside(url, offered, seconds);
    peak = Math.max(peak, answered);
    const cells = [offered, answered / seconds, refused / seconds, failed / seconds].map((value) =>
      value.toFixed(0).padStart(9),
    );
    console.log(`${cells.join("   ")}   ${((100 * answered) / peak).toFixed(0)} %`);
  }
  await server.close();
  await router.close();
}

function loadFromOutside(url: string, rate: number, seconds: number): Promise<Count> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, ["load", url, String(rate), String(seconds)]);
    child.once("message", (count) => resolve(count as Count)); // `load` sends one
    child.once("exit", (code) => code !== 0 && reject(new Error(`The load ended with ${code}.`)));
  });
}

async function load(url: string, rate: number, seconds: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 240 });
  const count: Count = { answered: 0, refused: 0, failed: 0 };
  const started = performance.now();
  const endsAt = started + seconds * 1_000;
  let sent = 0;
  let open = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(rate * seconds, ((performance.now() - started) / 1_000) * rate);
      // A caller that finds no free connection gives up: the queue is the server's affair, not ours.
      for (; sent < due; sent++) if (open < 240) send();
      if (performance.now() < endsAt) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  agent.destroy();
  process.send?.(count, () => process.exit(0));

  function send(): void {
    open++;
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
          authorization: `Bearer ${token}`,
        },
      },
      (response) => {
        response.resume().once("end", () => {
          if (response.statusCode === 200) count.answered++;
          else if (response.statusCode === 503) count.refused++;
          else count.failed++;
        });
      },
    );
    sending.once("error", () => count.failed++).once("close", over);
    sending.end(body);
  }
}
