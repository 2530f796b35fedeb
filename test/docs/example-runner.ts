/**
 * Runs scripts one after another in this process, so that the packages are loaded once. Sends
 * `{ script, stdout, stderr, error? }` to its parent for each, then ends by itself, as each script
 * alone would: one that leaves a timer or a socket behind keeps the process from ending.
 */
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** What a script printed. */
export interface ScriptRun {
  readonly script: string;
  readonly stdout: string;
  readonly stderr: string;
  /** With its stack, where the script threw. */
  readonly error?: string | undefined;
}

for (const script of process.argv.slice(2)) process.send?.(await run(script));
process.disconnect?.();

async function run(script: string): Promise<ScriptRun> {
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  let error: string | undefined;
  try {
    await import(pathToFileURL(script).href);
    for (let turn = 0; turn < 5; turn++) await setImmediate(); // warnings and events of the last turn
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.stack : String(thrown);
  }
  return { script, stdout: stdout(), stderr: stderr(), error };
}

/** Takes what is written to a stream, until the function it returns is called for it. */
function capture(stream: NodeJS.WriteStream): () => string {
  const write = stream.write;
  let written = "";
  stream.write = (chunk: string | Uint8Array) => {
    written += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return () => {
    stream.write = write;
    return written;
  };
}
