import { type ChildProcess, spawn } from "node:child_process";
import type { CommandIO } from "../command-io.js";

/** Maximum time for a server to end its runs before it is stopped at once, in milliseconds. */
const stopMs = 3_000;

/** `constellation serve` in a process of its own, so that changed modules are loaded anew. */
export interface ServerProcess {
  /** Resolves with its exit code. */
  readonly exited: Promise<number>;
  /** Stops it, and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts it with these arguments.
 *
 * @param listening - Called with its address.
 */
export function startServer(
  argv: readonly string[],
  { cwd, env, stdout, stderr }: CommandIO,
  listening: (url: string) => void,
): ServerProcess {
  const [, script = ""] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, script, "serve", ...argv], {
    cwd,
    env: {
      ...env,
      ...(stdout.isTTY === true && env.NO_COLOR === undefined && { FORCE_COLOR: "1" }),
    },
    detached: true, // Ctrl-C reaches this process alone, which then stops it
    stdio: ["ignore", "pipe", "pipe", "ipc"], // it ends when this process is gone
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout.write(text);
    const [, url] = /Listening on \S*?(http:\/\/[\w.:[\]-]+)/.exec(text) ?? [];
    if (url !== undefined) listening(url);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => stderr.write(text));
  const exited = exitOf(child);
  return {
    exited,
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}
