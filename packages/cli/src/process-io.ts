import type { CommandIO } from "./command-io.js";

/** The streams, environment and folder of this process. */
export function processIO(signal: AbortSignal): CommandIO {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd(), signal };
}
