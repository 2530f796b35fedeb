import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A NATS server of its own, on a free port of the loopback address. */
export interface NatsServer {
  readonly url: string;
  /** Ends it as a crash would, and resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with what it stored. */
  restart(): Promise<void>;
  /** Suspends it, until {@link NatsServer.thaw}. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** How long a cluster takes to choose its leader, in milliseconds. */
const clusterMs = 6_000;

let isFound: boolean | undefined;

/**
 * Whether there is a `nats-server` to start. Without one it writes how to get it to stderr, so that tests
 * that are skipped say so; where `CI` is set it throws instead.
 */
export function hasNatsServer(): boolean {
  isFound ??= findServer();
  return isFound;
}

function findServer(): boolean {
  try {
    execFileSync("nats-server", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    if (process.env.CI !== undefined) {
      throw new Error("nats-server is missing: apt-get install nats-server");
    }
    process.stderr.write(
      "Tests with a NATS server are skipped: there is no nats-server. Install one: `apt-get install nats-server`, or https://nats.io/download.\n",
    );
    return false;
  }
}

/**
 * Starts a NATS server with JetStream, from the command `nats-server`.
 *
 * @param configuration - Further lines of its configuration file, such as permissions.
 */
export async function startNatsServer(configuration = ""): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), "constellation-nats-"));
  const port = await freePort();
  const file = join(folder, "server.conf");
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${join(folder, "store")}" }\n${configuration}\n`,
  );
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    server = spawn("nats-server", ["-c", file], { stdio: "ignore" });
    for (;;) {
      if (server.exitCode !== null) throw new Error("nats-server ended at its start.");
      if (await accepts(port)) return;
      await pause(20);
    }
  }

  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    restart: start,
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts servers that make one cluster, and waits until it has a leader for its buckets.
 *
 * @param size - Number of servers.
 */
export async function startNatsCluster(size: number): Promise<readonly NatsServer[]> {
  const ports: number[] = [];
  while (ports.length < size) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
  const servers = await Promise.all(
    ports.map((port, index) =>
      startNatsServer(
        `server_name: "n${index}"\ncluster { name: "test", listen: "127.0.0.1:${port}", routes: [${routes}] }`,
      ),
    ),
  );
  await pause(clusterMs);
  return servers;
}

/**
 * A port below the range that Linux assigns to connections and to listeners on port 0, so that nothing takes it by
 * chance.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  await once(server.close(), "close");
  return true;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
