import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A Restate server of a test's own. */
export interface RestateServer {
  readonly ingress: string;
  /** Has it call services at this port of the machine. */
  register(port: number): Promise<void>;
  /** Idempotency keys of the invocations of a service that it has the outcome of. */
  completedKeys(service: string): Promise<ReadonlySet<string>>;
  /** Ends it as a crash would, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Installs the server, once.
 *
 * @param home - Folder with a `package.json` that depends on `@restatedev/restate-server`, and its lock file.
 * @returns Path of its program; `undefined` where it cannot be installed: why is written to stderr.
 */
export function installRestate(home: string): string | undefined {
  const { platform, arch } = process;
  const program = `@restatedev/restate-server-${platform}-${arch}/bin/restate-server`;
  const find = () => {
    try {
      return createRequire(join(home, "package.json")).resolve(program);
    } catch {
      return undefined;
    }
  };
  const found = find();
  if (found !== undefined && existsSync(found)) return found;
  try {
    execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: home, stdio: "pipe", timeout: 180_000 });
    return find();
  } catch (thrown) {
    process.stderr.write(
      `SKIPPED: the Restate server cannot be installed in ${home}: ${String(thrown)}\n`,
    );
    return undefined;
  }
}

/** Starts one with an empty folder, on free ports of loopback. */
export async function startRestate(program: string): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), "restate-"));
  const [ingress = 0, admin = 0, node = 0] = await findFreePorts(3);
  const env = {
    ...process.env,
    RESTATE_BASE_DIR: folder,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256MB",
    RESTATE_DEFAULT_NUM_PARTITIONS: "4",
    RESTATE_LOG_FILTER: "error",
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_NODE_NAME: "test",
    RESTATE_CLUSTER_NAME: "test",
  };
  let server: ChildProcess;
  async function start(): Promise<void> {
    server = spawn(program, [], { env, cwd: folder, stdio: "ignore" });
    const isReady = async (url: string) => (await fetch(url).catch(() => undefined))?.ok === true;
    while (
      !(await isReady(`http://127.0.0.1:${admin}/health`)) ||
      !(await isReady(`http://127.0.0.1:${ingress}/restate/health`))
    ) {
      if (server.exitCode !== null) throw new Error(`restate-server ended: ${server.exitCode}`);
      await sleep(50);
    }
  }
  async function kill(): Promise<void> {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGKILL");
      await ended;
    }
  }
  await start();
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    async register(port) {
      const reply = await fetch(`http://127.0.0.1:${admin}/deployments`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ uri: `http://127.0.0.1:${port}`, force: true }),
      });
      if (!reply.ok) throw new Error(`The services were not registered: ${await reply.text()}`);
    },
    async completedKeys(service) {
      const query = `SELECT idempotency_key FROM sys_invocation WHERE target_service_name = '${service}' AND status = 'completed'`;
      for (;;) {
        const reply = await fetch(`http://127.0.0.1:${admin}/query`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json" },
          body: JSON.stringify({ query }),
        });
        const { rows } = (await reply.json()) as {
          readonly rows?: readonly { readonly idempotency_key?: string }[];
        };
        if (rows !== undefined) return new Set(rows.map((row) => row.idempotency_key ?? ""));
        await sleep(100); // it has just started
      }
    },
    async restart() {
      await kill();
      await start();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ports of loopback that no one listens at. */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
