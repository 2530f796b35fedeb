import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, relative, resolve } from "node:path";
import { aborted, type CommandIO, exitCodes } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { type ServerProcess, startServer } from "../dev/server-process.js";
import { watchFolder } from "../dev/watch-folder.js";
import { defaultJournal } from "../mesh/create-journal.js";
import { findMesh } from "../mesh/find-mesh.js";
import { listenProblem } from "../serve/listen-problem.js";

/** Command-line options of `dev`. */
export interface DevFlags {
  readonly mesh?: string;
  readonly port: number;
  readonly journal?: string;
  readonly traceUrl?: string;
  readonly open: boolean;
}

/** `constellation dev`: serves the mesh for its author, and again after each change, until the signal aborts. */
export async function dev(flags: DevFlags, io: CommandIO): Promise<number> {
  const mesh = flags.mesh ?? findMesh(io.cwd);
  let { port } = flags;
  await assertPortFree(port);
  let hasOpened = !flags.open || io.stdout.isTTY !== true;
  let server: ServerProcess | undefined;
  let restarting = Promise.resolve();

  function start(): void {
    const started = startServer(writeArgv(mesh, port, flags), io, (url) => {
      port = Number(new URL(url).port); // the same one after a change
      if (!hasOpened) openPage(url);
      hasOpened = true;
    });
    server = started;
    void started.exited.then((code) => {
      if (server !== started || io.signal.aborted) return;
      server = undefined;
      io.stderr.write(`The server has ended (${code}). Waiting for a change.\n`);
    });
  }

  function restart(path: string): void {
    restarting = restarting.then(async () => {
      if (io.signal.aborted) return;
      io.stderr.write(`${relative(io.cwd, path)} has changed: starting again.\n`);
      const before = server;
      server = undefined;
      await before?.stop();
      if (!io.signal.aborted) start();
    });
  }

  const stopWatching = await watchFolder(dirname(resolve(io.cwd, mesh)), restart);
  start();
  await aborted(io.signal);
  stopWatching();
  await restarting;
  await server?.stop();
  return exitCodes.answered;
}

/** @throws ConfigurationError where the port cannot be listened on, which no change of a file mends. */
async function assertPortFree(port: number): Promise<void> {
  const probe = createServer();
  const host = "127.0.0.1";
  try {
    await once(probe.listen(port, host), "listening");
  } catch (thrown) {
    throw new ConfigurationError(listenProblem(thrown, { host, port }), { cause: thrown });
  }
  await once(probe.close(), "close");
}

function writeArgv(mesh: string, port: number, { journal, traceUrl }: DevFlags): readonly string[] {
  return [
    ...["--mesh", mesh, "--port", String(port), "--debug"],
    ...["--journal", journal ?? defaultJournal],
    ...(traceUrl === undefined ? [] : ["--trace-url", traceUrl]),
  ];
}

/** Opens an address in the user's browser. Without one nothing happens. */
function openPage(url: string): void {
  const [command = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined); // no browser: the address is printed
  child.unref();
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
