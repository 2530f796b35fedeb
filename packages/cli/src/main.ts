/** The process of the command `constellation`: signals, streams and exit code. */

import { exitCodes, processIO } from "./command-io.js";
import { main } from "./command-line.js";

/** Maximum time, in milliseconds, that unfinished work may keep the process alive. */
const graceMs = 1_000;
/** Exit code of a shell for a broken pipe. */
const brokenPipe = 141;

const controller = new AbortController();
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (stream === process.stdout) {
      process.exitCode = code === "EPIPE" ? brokenPipe : exitCodes.failed;
      if (code !== "EPIPE") process.stderr.write(`error: stdout cannot be written (${code}).\n`);
    }
    controller.abort();
  });
}
const interrupt = () => {
  if (controller.signal.aborted) process.exit(exitCodes.interrupted);
  controller.abort();
};
process.on("SIGINT", interrupt);
process.on("SIGTERM", interrupt);
process.once("disconnect", interrupt); // the `constellation dev` that started this is gone

const exitCode = await main(process.argv.slice(2), processIO(controller.signal));

process.off("SIGINT", interrupt);
process.off("SIGTERM", interrupt);
process.off("disconnect", interrupt);
if (process.connected === true) process.disconnect();
process.exitCode ??= exitCode;
setTimeout(() => process.exit(), graceMs).unref();
