/**
 * What goes wrong in a mesh, one after the other, under load: each with a count of what was lost, done twice, late or
 * left running. Fails where there is any, and where more writes have an unknown outcome than calls were in flight.
 *
 * `node --conditions=@constellation/source --import tsx packages/nats/bench/drills.ts [seconds of each] [names]`
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRouter, type Router } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { type NatsServer, startNatsCluster, startNatsServer } from "@constellation/nats/testing";
import { connect, nuid } from "@nats-io/transport-node";
import { createPartition } from "../test/partition.js";
import { drillMesh } from "./drill-work.js";

const [seconds = "8", ...names] = process.argv.slice(2);
const lastsMs = Number(seconds) * 1_000;
const timeoutMs = 10_000;
const inFlight = 20;

/** One mesh: its servers, its replicas, and what they note. */
interface Drill {
  readonly servers: readonly NatsServer[];
  readonly urls: string;
  readonly replicas: ChildProcess[];
  start(role: string, options?: StartOptions): Promise<ChildProcess>;
}

interface StartOptions {
  readonly urls?: string;
  readonly effects?: "read" | "write";
  readonly skewMs?: number;
}

type Disturb = (drill: Drill) => Promise<void>;

/** Each disturbs a mesh with three replicas for about as long as the load lasts. */
const drills: Readonly<Record<string, Disturb>> = {
  kill: async ({ replicas, start }) => {
    for (let count = 0; count < 3; count++) {
      await pause(lastsMs / 4);
      replicas.shift()?.kill("SIGKILL");
      replicas.push(await start("replica"));
    }
  },
  "frozen worker": async ({ replicas }) => {
    await pause(lastsMs / 4);
    await freeze(replicas[0], lastsMs / 2);
  },
  "frozen caller": async ({ start }) => {
    const callers = await Promise.all([start("caller"), start("caller")]);
    await pause(lastsMs / 4);
    await Promise.all(callers.map((caller) => freeze(caller, lastsMs / 2)));
    for (const caller of callers) caller.kill("SIGKILL");
  },
  "frozen server": async ({ servers }) => {
    await pause(lastsMs / 4);
    servers[0]?.freeze();
    await pause(Math.min(4_000, lastsMs / 2));
    servers[0]?.thaw();
  },
  "each of three servers": async ({ servers }) => {
    for (const server of servers) {
      await pause(lastsMs / 9);
      await server.kill();
      await pause(lastsMs / 6);
      await server.restart();
    }
  },
  partition: async ({ urls, start }) => {
    const network = await createPartition(urls);
    const cut = await start("replica", { urls: network.url });
    await pause(lastsMs / 4);
    network.cut();
    await pause(lastsMs / 2);
    network.heal();
    await pause(lastsMs / 4);
    cut.kill("SIGKILL");
    network.close();
  },
  "clock skew": async ({ start }) => {
    const day = 86_400_000;
    const skewed = await Promise.all([
      start("replica", { skewMs: day }),
      start("replica", { skewMs: -day }),
    ]);
    await pause(lastsMs);
    for (const each of skewed) each.kill("SIGTERM");
  },
  duplicates: async ({ urls }) => {
    const connection = await connect({ servers: urls });
    const seen = new Set<string>();
    connection.subscribe(`mesh.${drillMesh}.call.>`, {
      callback: (_error, { subject, data, reply }) => {
        const text = new TextDecoder().decode(data);
        if (seen.has(text)) return;
        seen.add(text);
        for (let copy = 0; copy < 3; copy++)
          connection.publish(subject, data, reply === undefined ? {} : { reply });
      },
    });
    await pause(lastsMs);
    await connection.close();
  },
  "rolling update": async ({ replicas, start }) => {
    const old = replicas.splice(0);
    for (const each of old) {
      replicas.push(await start("replica", { effects: "write" }));
      each.kill("SIGTERM");
      await pause(lastsMs / 6);
    }
  },
  "poison messages": async ({ urls }) => {
    const connection = await connect({ servers: urls });
    const endsAt = performance.now() + lastsMs;
    const tokens = [
      "call.look.x.any",
      "find.look.any",
      "member.all.look",
      "who.any",
      "suspect.any",
      "inbox.any.x.y",
    ];
    const bodies = [
      "",
      "{",
      "{}\n",
      "null\n[",
      '{"t":"call"}\n',
      '{"t":"member","node":7}\n{}',
      "{".repeat(5_000),
    ];
    while (performance.now() < endsAt) {
      for (const token of tokens) {
        for (const body of bodies)
          connection.publish(`mesh.${drillMesh}.${token}`, body, {
            reply: `mesh.${drillMesh}.inbox.any.${nuid.next()}`,
          });
      }
      await pause(20);
    }
    await connection.close();
  },
};

async function freeze(child: ChildProcess | undefined, ms: number): Promise<void> {
  child?.kill("SIGSTOP");
  await pause(ms);
  child?.kill("SIGCONT");
}

interface Counts {
  reads: number;
  writes: number;
  readsLost: number;
  writesNotDone: number;
  writesUnknown: number;
  late: number;
  longestMs: number;
}

/** Asks one after the other; each run must end in time. */
async function load(router: Router, index: number, counts: Counts): Promise<void> {
  const endsAt = performance.now() + lastsMs;
  for (let call = 0; performance.now() < endsAt; call++) {
    const isWrite = call % 4 === 0;
    const at = performance.now();
    const query = JSON.stringify({ id: `${index}-${call}`, due: Date.now() + timeoutMs });
    const { answer, error } = await router.ask(query, { to: isWrite ? "change" : "look" });
    const tookMs = performance.now() - at;
    counts.longestMs = Math.max(counts.longestMs, tookMs);
    if (tookMs > timeoutMs + 1_000) counts.late++;
    counts[isWrite ? "writes" : "reads"]++;
    if (answer !== undefined) continue;
    if (!isWrite) {
      counts.readsLost++;
      console.error(`read: ${error?.code} ${error?.message}`);
    } else if (error?.details?.outcome === "not-done") counts.writesNotDone++;
    else counts.writesUnknown++;
    await pause(100);
  }
}

async function run(name: string, disturb: Disturb): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "constellation-drill-"));
  const file = join(folder, "notes");
  writeFileSync(file, "");
  const servers = name.includes("three") ? await startNatsCluster(3) : [await startNatsServer()];
  const urls = servers.map(({ url }) => url).join(",");
  const children: ChildProcess[] = [];
  const drill: Drill = {
    servers,
    urls,
    replicas: [],
    async start(role, { urls: given = urls, effects = "write", skewMs = 0 } = {}) {
      const script = fileURLToPath(new URL("drill-worker.ts", import.meta.url));
      const child = fork(script, [role, given, file, effects], {
        execArgv: process.execArgv,
        env: { ...process.env, SKEW_MS: String(skewMs) },
      });
      children.push(child);
      await once(child, "message");
      return child;
    },
  };
  const effects = name === "rolling update" ? "read" : "write";
  const size = name === "rolling update" ? 6 : 3;
  const started = Array.from({ length: size }, () => drill.start("replica", { effects }));
  drill.replicas.push(...(await Promise.all(started)));
  const transport = createNatsTransport({ servers: urls.split(","), mesh: drillMesh });
  const router = createRouter({ transport, timeoutMs });
  await router.open();
  const counts: Counts = {
    reads: 0,
    writes: 0,
    readsLost: 0,
    writesNotDone: 0,
    writesUnknown: 0,
    late: 0,
    longestMs: 0,
  };

  const loads = Array.from({ length: inFlight }, (_, index) => load(router, index, counts));
  await Promise.all([disturb(drill), ...loads]);
  await pause(2_000); // what was left running shows
  const notes = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { event: string; kind: string; id: string; lateMs: number });
  const changes = notes.filter(({ event, kind }) => event === "start" && kind === "change");
  const twice = changes.length - new Set(changes.map(({ id }) => id)).size;
  const startedLate = notes.filter(({ event, lateMs }) => event === "start" && lateMs > 0).length;
  // A frozen process ends what it works on when it continues.
  const isFrozen = name.startsWith("frozen");
  const orphaned = notes.filter(({ event, lateMs }) => event === "end" && lateMs > 500).length;
  await router.close();
  for (const child of children) {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
  }
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });

  const late = counts.late + startedLate;
  const { reads, writes, readsLost, writesNotDone, writesUnknown, longestMs } = counts;
  const cells = [
    name,
    reads,
    writes,
    readsLost,
    twice,
    late,
    orphaned,
    writesNotDone,
    writesUnknown,
    (longestMs / 1_000).toFixed(1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
  const faults = readsLost + twice + late + (isFrozen ? 0 : orphaned);
  return faults === 0 && writesUnknown <= inFlight;
}

console.log(
  "| drill | reads | writes | lost | twice | late | orphaned | not done | unknown | longest s |",
);
console.log("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
let failures = 0;
for (const [name, disturb] of Object.entries(drills)) {
  if (names.length > 0 && !names.includes(name)) continue;
  if (!(await run(name, disturb))) failures++;
}
process.exitCode = failures === 0 ? 0 : 1;
