import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createRouter } from "@constellation/core";
import {
  createJournal,
  createMemoryStore,
  createPostgresStore,
  createSqliteStore,
  type JournalStore,
} from "../src/index.js";
import { findPostgres, startPostgres } from "../test/postgres-server.js";

// What a journal adds to a hop: npm run bench:hops -w packages/journal [-- rounds]
// Chains of 10 librarians that answer at once, 200 runs at a time, so that what they append is grouped. Each
// round measures all stores in turn, in this process; the median of the rounds is printed.

const rounds = Number(process.argv[2] ?? 5);
const [runs, length] = [200, 10];
const folder = mkdtempSync(join(tmpdir(), "hops-"));
const bin = findPostgres();
const server = bin === undefined ? undefined : startPostgres(bin, ["fsync=on"]);

/** Wall time and processor time of a hop, in microseconds. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function measure(store: JournalStore | undefined): Promise<Cost> {
  const journal = store && createJournal({ store, redact: (text) => text });
  const router = createRouter({ maxDepth: length, ...(journal && { journal }) });
  for (let index = 0; index < length; index++) {
    const next = { delegate: { to: `l${index + 1}` } };
    const response = index === length - 1 ? { answer: "x".repeat(200), confidence: 1 } : next;
    router.register({
      id: `l${index}`,
      description: "is measured",
      librarian: async () => response,
    });
  }
  await router.open();
  const askAll = () =>
    Promise.all(Array.from({ length: runs }, () => router.ask("why?", { to: "l0" })));
  await askAll(); // warm
  const [cpuBefore, start] = [process.cpuUsage(), performance.now()];
  for (let batch = 0; batch < 5; batch++) await askAll();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  await router.close();
  const hops = 5 * runs * length;
  return { wall: (wall * 1_000) / hops, cpu: (user + system) / hops };
}

let file = 0;
const stores: Readonly<Record<string, () => JournalStore | undefined>> = {
  "no journal": () => undefined,
  memory: () => createMemoryStore(),
  "SQLite, fast": () => createSqliteStore({ file: join(folder, `${file++}.db`) }),
  "SQLite, power-safe": () =>
    createSqliteStore({ file: join(folder, `${file++}.db`), mode: "power-safe" }),
  ...(server && {
    Postgres: () => createPostgresStore({ url: server.url, schema: `s${file++}` }),
  }),
};
try {
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, create] of Object.entries(stores)) {
      costs.set(name, [...(costs.get(name) ?? []), await measure(create())]);
    }
  }
  const median = (name: string, of: (cost: Cost) => number) =>
    (costs.get(name) ?? []).map(of).sort((one, other) => one - other)[rounds >> 1] ?? 0;
  for (const name of costs.keys()) {
    const [wall, cpu] = [median(name, (each) => each.wall), median(name, (each) => each.cpu)];
    const added = wall - median("no journal", (each) => each.wall);
    console.log(
      `${name.padEnd(20)} ${wall.toFixed(1)} us a hop (${cpu.toFixed(1)} of the processor), ${added.toFixed(1)} more`,
    );
  }
} finally {
  server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
