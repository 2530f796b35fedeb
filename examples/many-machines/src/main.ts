/** Starts a NATS server and four machines, asks them, and kills one of them at work. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createRouter } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { startNatsServer } from "@constellation/nats/testing";

const server = await startNatsServer();
const machines: ChildProcess[] = [];

/** Starts a machine, and resolves once it serves. */
async function startMachine(librarian: string, name: string): Promise<ChildProcess> {
  const script = fileURLToPath(new URL("machine.ts", import.meta.url));
  const machine = fork(script, [server.url, librarian, name], { execArgv: process.execArgv });
  machines.push(machine);
  await once(machine, "message"); // "ready"
  return machine;
}

try {
  const [one] = await Promise.all([
    startMachine("docs", "docs-1"),
    startMachine("docs", "docs-2"),
    startMachine("billing", "billing-1"),
    startMachine("desk", "desk-1"),
  ]);

  const transport = createNatsTransport({
    servers: server.url,
    mesh: "help-desk",
    lostAfterMs: 1_500,
  });
  const router = createRouter({ transport, entry: "desk" });
  await router.open();

  console.log("# Who is there\n");
  const present = transport.present().map(({ info, replicas }) => {
    return `${info.id}: ${replicas.length} ${replicas.length === 1 ? "machine" : "machines"}`;
  });
  console.log(present.sort().join("\n"));

  console.log("\n# A question across four machines\n");
  const run = router.start("Billing hangs");
  const { answer, partial } = await run.response;
  console.log(answer);
  const [desk] = run.explain().hops;
  console.log(
    `\nasked in mesh ${desk?.remote?.mesh}: ${desk?.remote?.hops.map(({ to }) => to).join(", ")}`,
  );
  check(partial !== true, "Every librarian answered.");

  console.log("\n# A machine is killed at work\n");
  const workers: string[] = [];
  for (const machine of machines) {
    machine.on("message", (line) => {
      if (!String(line).includes("slowly")) return;
      workers.push(String(line));
      if (workers.length === 1) machine.kill("SIGKILL"); // the first one that works on it
    });
  }
  const saved = await router.ask("Billing hangs, answer slowly", { to: "docs" });
  console.log(saved.answer);
  console.log(`worked on by ${workers.length} machines, one after the other`);
  check(workers.length === 2 && saved.error === undefined, "The other machine answered.");
  check(one.exitCode === null, "No machine ended by itself.");
  await router.close();
} finally {
  for (const machine of machines) machine.kill("SIGKILL");
  await server.stop();
}

/** Ends the example with a failure where it did not do what it shows. */
function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`It does not hold: ${what}`);
}
