import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Row } from "./measure.js";

/** How a scenario is run. */
export interface ProcessOptions {
  readonly quick: boolean;
  /** Root of the checkout whose core is measured; this one where not given. */
  readonly core?: string | undefined;
}

/**
 * Measures one scenario in a fresh process, so that none inherits another's compiled code, garbage
 * or tracing.
 *
 * @throws Error when the process fails.
 */
export function measureInProcess(name: string, { quick, core }: ProcessOptions): readonly Row[] {
  const script = fileURLToPath(new URL("run-scenario.js", import.meta.url));
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      "--expose-gc",
      script,
      name,
      ...(quick ? ["--quick"] : []),
      ...(core === undefined ? [] : ["--core", core]),
    ],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(`${name}: the process ended with ${status}`);
  return JSON.parse(stdout) as readonly Row[];
}
