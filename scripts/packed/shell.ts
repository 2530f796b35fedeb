import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Longest time for one block of commands, in milliseconds. */
const timeoutMs = 300_000;

/** A shell as a reader of a guide has it: it stays in the folder a block went to. */
export interface Shell {
  readonly cwd: string;
  /**
   * Runs a block of commands; one that serves is stopped as soon as it listens.
   *
   * @returns What was printed on stdout.
   * @throws Error with all that was printed, when a command fails or takes too long.
   */
  run(block: string): Promise<string>;
}

/** Opens a shell in a folder. */
export function openShell(folder: string, env: NodeJS.ProcessEnv): Shell {
  let cwd = folder;
  const place = join(folder, ".cwd");
  return {
    get cwd() {
      return cwd;
    },
    async run(block) {
      const serves = /^.*\bserve\b.*$/m.exec(block)?.[0];
      const noted = `pwd >'${place}'`;
      const script =
        serves === undefined
          ? `${block}\n${noted}`
          : block.replace(serves, () => `${noted}\n${serves}`);
      const stdout = await runScript(script, { cwd, env, serves: serves !== undefined });
      cwd = readFileSync(place, "utf8").trim();
      return stdout;
    },
  };
}

function runScript(
  script: string,
  { cwd, env, serves }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; serves: boolean },
): Promise<string> {
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env,
    detached: true, // a group of its own, so that a server below npx is stopped too
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(stop, timeoutMs);
  let stdout = "";
  let all = "";
  let isListening = false;
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
    all += String(chunk);
    if (!serves || isListening || !stdout.includes("Listening on")) return;
    isListening = true;
    stop();
  });
  child.stderr.on("data", (chunk) => {
    all += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      if (serves ? isListening : code === 0) resolve(stdout);
      else reject(new Error(`ended with ${code}:\n${script}\n${all.slice(-4_000)}`));
    });
  });
}
