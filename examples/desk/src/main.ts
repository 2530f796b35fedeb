/**
 * `npm run demo`: asks the desk a question, shows what happens, then the answer.
 *
 * With OTEL_EXPORTER_OTLP_ENDPOINT set, the run is also sent there as a trace.
 *
 * Exits with 0 when there is an answer, 1 when there is none, 130 when Ctrl-C ended it.
 */
import type { Telemetry } from "@constellation/telemetry";
import { createDeskMesh } from "./mesh.js";
import { createTerminal } from "./terminal.js";

const question =
  process.argv.slice(2).join(" ").trim() ||
  "Checkout pods are OOMKilled since the last rollout and customers see 504 from the ingress. How do I roll back, and which timeout do I check?";

const router = createDeskMesh();
const report = router.check();
if (!report.ok) throw new Error(report.problems.map(({ message }) => message).join("\n"));

const telemetry = await startTelemetry();
const terminal = createTerminal(process);
const run = router.start(question);
const interrupt = () => run.cancel("interrupted");
process.once("SIGINT", interrupt); // a second Ctrl-C ends the process at once

for await (const event of run.events) terminal.progress(event);
const response = await run.response;
terminal.result(response, run.explain());

await run.settled;
await router.close();
await telemetry?.shutdown({ timeoutMs: 2_000 });
process.off("SIGINT", interrupt);

const wasCancelled = response.error?.details?.reason === "cancelled";
process.exitCode = response.answer !== undefined ? 0 : wasCancelled ? 130 : 1;

/** Sends the run to a collector where the environment names one; else the SDK is not even loaded. */
async function startTelemetry(): Promise<Telemetry | undefined> {
  if (!process.env.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  const telemetry = await import("@constellation/telemetry");
  const started = await telemetry.startTelemetry({ serviceName: "desk" });
  started.recordMetrics(router, { workflowName: "desk" });
  return started;
}
