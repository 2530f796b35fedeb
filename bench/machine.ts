import { execFileSync } from "node:child_process";
import { availableParallelism, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

/** What a figure depends on. */
export interface Machine {
  readonly node: string;
  /** Of this checkout; ends in `+` where core has changes that are not committed. */
  readonly commit: string;
  /** ISO 8601, in UTC. */
  readonly date: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly platform: string;
  /** Processes that wanted a core in the minute before; more than there are cores: figures suffer. */
  readonly load: number;
}

export function describeMachine(): Machine {
  const changed = git("status", "--porcelain", "--", ":/packages/core/src");
  return {
    node: process.version,
    commit: `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "+"}`,
    date: new Date().toISOString().slice(0, 16),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

export function machineLine(machine: Machine): string {
  const { node, commit, date, cores, memoryGb, platform, load } = machine;
  return `Node.js ${node}, ${platform}, ${cores} cores, ${memoryGb} GB; commit ${commit}; ${date} UTC; load ${load} before it began.`;
}

function git(...args: readonly string[]): string {
  try {
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    return execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}
