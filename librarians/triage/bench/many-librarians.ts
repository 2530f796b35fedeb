/**
 * npm run bench -w librarians/triage: what a query costs with many librarians registered, without a model.
 *
 *     -- --librarians N   how many, 40,000 where not given
 *     -- --embedder       with made-up vectors of 384 numbers, which cost next to nothing to make
 *     -- --json           one JSON document
 *
 * The librarians and the queries are made up from a seeded word list in which some words are common and
 * most are rare, as in descriptions that people write. Each time is wall time in milliseconds. "through
 * the router" is a whole run: its own work with so many librarians, the hop of triage, and a hop of the
 * librarian that was chosen, which answers at once.
 */
import { parseArgs } from "node:util";
import { createRouter, type Librarian, type LibrarianDefinition } from "@constellation/core";
import type { Embedder } from "@constellation/retrieval";
import { createTriageLibrarian, type TriageReport } from "../src/index.js";

const { values } = parseArgs({
  options: {
    librarians: { type: "string", default: "40000" },
    embedder: { type: "boolean" },
    json: { type: "boolean" },
  },
});
const count = Number(values.librarians);
const rounds = 1_000;

let state = 42;
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

/** Low numbers are much commoner than high ones. */
function word(): string {
  const rank = Math.floor(20_000 ** random());
  return `${["pod", "release", "price", "index", "queue", "ledger", "route"][rank % 7]}${letters(rank)}`;
}

function letters(rank: number): string {
  return [...rank.toString(26)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .join("");
}

function words(least: number, most: number): string {
  return Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, word).join(" ");
}

const answerer: Librarian = async () => ({ answer: "ok" });
const definitions = Array.from(
  { length: count },
  (_, place): LibrarianDefinition => ({
    id: `librarian-${place}`,
    description: `Answers about ${words(8, 20)}.`,
    capabilities: [`${word()}.${word()}`, `${word()}.${word()}`],
    examples: Array.from({ length: 3 }, () => `Which ${words(5, 10)}?`),
    librarian: answerer,
  }),
);
const queries = Array.from({ length: rounds }, (_, place) =>
  place % 3 === 0 ? `Which ${words(3, 6)}, and what about ${words(3, 6)}?` : `Why ${words(4, 14)}?`,
);
const router = createRouter({ entry: "triage" });
const embedder: Embedder = {
  id: "made-up",
  dimensions: 384,
  async embed(texts) {
    return texts.map(() => {
      const vector = Float32Array.from({ length: 384 }, () => random() - 0.5);
      const length = Math.hypot(...vector);
      return vector.map((each) => each / length);
    });
  },
};
const triage = createTriageLibrarian(values.embedder === true ? { embedder } : {});
const spent: number[] = [];
const processorTime: number[] = [];
const readList: number[] = [];
let meaning: string | undefined;
router.register({
  ...triage,
  librarian: async (query, context) => {
    const before = performance.now();
    const availableDelegates = context?.availableDelegates;
    readList.push(performance.now() - before);
    const cpuBegun = process.cpuUsage();
    const begun = performance.now();
    const response = await triage.librarian(query, {
      ...(availableDelegates && { availableDelegates }),
    });
    spent.push(performance.now() - begun);
    meaning = (response.metadata?.triage as TriageReport | undefined)?.meaning;
    const { user, system } = process.cpuUsage(cpuBegun);
    processorTime.push((user + system) / 1_000);
    return response;
  },
});
for (const definition of definitions) router.register(definition);

const cpuBefore = process.cpuUsage().user;
const health = await timed(() => router.health({ timeoutMs: 120_000 }));
const healthCpu = (process.cpuUsage().user - cpuBefore) / 1_000;
if (values.embedder === true) await untilEmbedded();
const first = await timed(() => router.ask("warm up"));
for (const query of queries.slice(0, 200)) await router.ask(query);
spent.length = 0;
processorTime.length = 0;
readList.length = 0;
const whole: number[] = [];
let delegated = 0;
for (const query of queries) {
  const begun = performance.now();
  const { answer } = await router.ask(query);
  whole.push(performance.now() - begun);
  if (answer !== undefined) delegated++;
}
const alone = distribution(spent);
const aloneCpu = distribution(processorTime);
router.register({ id: "one-more", description: "Comes late.", librarian: answerer });
const afterChange = await timed(() => router.ask(queries[0] ?? ""));
await router.close();

const figures = {
  librarians: count,
  queries: rounds,
  delegated,
  "triage alone": alone,
  "its processor time": aloneCpu,
  "reading availableDelegates": distribution(readList),
  "through the router": distribution(whole),
  "health check, which reads the librarians": rounded(health),
  "processor time of the health check": rounded(healthCpu),
  "first query after it": rounded(first),
  "first query after a librarian was registered": rounded(afterChange),
};
if (values.json === true) console.log(JSON.stringify(figures, undefined, 2));
else for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(46)}`, value);

async function untilEmbedded(): Promise<void> {
  for (;;) {
    await router.ask(queries[0] ?? "");
    if (meaning === "used") return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function distribution(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
