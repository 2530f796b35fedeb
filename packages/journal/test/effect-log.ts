import { existsSync, readFileSync } from "node:fs";

/** One line of the log of a durable mesh. */
export interface LogLine {
  /** `run`, `read`, `model` or `effect`. */
  readonly kind: string;
  readonly runId: string;
  readonly name: string;
}

export function readLog(log: string): readonly LogLine[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [kind = "", runId = "", name = ""] = line.split(" ");
    return { kind, runId, name };
  });
}

/** What was done outside, `RUN NAME` each. */
export function effectsIn(log: string): ReadonlySet<string> {
  const effects = readLog(log).filter(({ kind }) => kind === "effect");
  return new Set(effects.map(({ runId, name }) => `${runId} ${name}`));
}
