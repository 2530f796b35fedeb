import { performance } from "node:perf_hooks";
import { createPostgresStore } from "../src/postgres/postgres-store.js";
import type { JournalWrite } from "../src/store.js";
import { findPostgres, startPostgres } from "../test/postgres-server.js";

// What an append of 1 KB costs in Postgres: npm run bench:postgres -w packages/journal [-- seconds]
// It starts a server of its own, which waits for the disk at each commit.

const seconds = Number(process.argv[2] ?? 2);
const bin = findPostgres();
if (bin === undefined) {
  console.error("SKIPPED: install postgresql to have it measured.");
  process.exit();
}
const server = startPostgres(bin, ["fsync=on"]);
try {
  const store = createPostgresStore({ url: server.url });
  await store.open();
  const runs = Array.from({ length: 100 }, (_, index) => `run-${index}`);
  const create = {
    type: "create-run",
    user: undefined,
    owner: "one",
    at: 1,
    request: "{}",
  } as const;
  await store.write(runs.map((runId) => ({ ...create, runId })));
  const body = JSON.stringify("x".repeat(1_000));
  let key = 0;
  const append = (index: number): JournalWrite => ({
    ...{ type: "append", runId: runs[index % runs.length] ?? "", key: `key ${key++}`, epoch: 1 },
    ...{ phase: "outcome", kind: "hop", at: 1, body },
  });
  for (const size of [1, 10, 100]) {
    const times: number[] = [];
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      const writes = Array.from({ length: size }, (_, index) => append(index));
      const start = performance.now();
      await store.write(writes);
      times.push(((performance.now() - start) * 1_000) / size);
    }
    times.sort((one, other) => one - other);
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    const median = times[times.length >> 1] ?? 0;
    console.log(
      `groups of ${size}: ${mean.toFixed(0)} us per append (median ${median.toFixed(0)}), ${times.length} groups`,
    );
  }
  await store.close();
} finally {
  server.stop();
}
