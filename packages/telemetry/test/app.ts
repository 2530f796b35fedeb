// A small application that tests run as a process of its own. `process.argv[2]` says how it ends;
// what it prints is compared line by line. `process.argv[3]` is the longest delay of its end, in milliseconds.
import { createRouter } from "@constellation/core";
import { startTelemetry } from "@constellation/telemetry";

const [, , ending = "by-itself", exitTimeoutMs = "2000"] = process.argv;

const telemetry = await startTelemetry({
  serviceName: "app",
  exitTimeoutMs: Number(exitTimeoutMs),
});
const router = createRouter();
router.register({ id: "echo", description: "repeats", librarian: async (q) => ({ answer: q }) });
telemetry.recordMetrics(router);

async function ask(): Promise<void> {
  const { answer } = await router.ask("hello");
  console.log(answer);
}

await ask();

switch (ending) {
  case "by-itself":
    break;
  case "after-a-batch":
    await new Promise((resolve) => setTimeout(resolve, 100)); // it is on its way by now
    console.log("ready");
    break;
  case "after-shutdown":
    await telemetry.shutdown();
    console.log(process.getActiveResourcesInfo().filter((each) => !/Pipe|TTY|FSReq/.test(each)));
    break;
  case "goes-on-in-before-exit": {
    let rounds = 0;
    process.on("beforeExit", () => {
      if (rounds++ === 0) setTimeout(() => void ask(), 1);
    });
    break;
  }
  case "waits":
    setInterval(() => {}, 1_000);
    break;
  case "own-handler":
    setInterval(() => {}, 1_000);
    process.once("SIGTERM", () => {
      console.log("own handler");
      void telemetry.shutdown().then(() => process.exit(7));
    });
    break;
  case "counts-listeners":
    // What libraries do that end the process on a signal only where no one else listens to it.
    setInterval(() => {}, 1_000);
    process.on("SIGTERM", () => {
      console.log(process.listenerCount("SIGTERM"));
      process.exit(8);
    });
    break;
  default:
    throw new Error(`Unknown ending: ${ending}`);
}
if (!["by-itself", "after-a-batch"].includes(ending)) console.log("ready");
