/**
 * A replica, or a caller, of the drills. Arguments: role, addresses of the servers, file for what it does, and for a
 * replica the effects of `change`. With `SKEW_MS` its clock is that much ahead.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createRouter, type Librarian } from "@constellation/core";
import { createNatsTransport } from "@constellation/nats";
import { serveLibrarians } from "@constellation/transport";
import { drillMesh, type Work, workMs } from "./drill-work.js";

const [role = "", servers = "", file = "", effects = "write"] = process.argv.slice(2);
const skewMs = Number(process.env.SKEW_MS ?? 0);
const systemNow = Date.now;
if (skewMs !== 0) Date.now = () => systemNow() + skewMs;

const note = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
const transport = createNatsTransport({ servers: servers.split(","), mesh: drillMesh });
const router = createRouter({ transport, timeoutMs: 10_000 });

const work =
  (kind: string): Librarian =>
  async (query, context) => {
    const { id, due } = JSON.parse(query) as Work; // the drills ask nothing else
    note({ event: "start", kind, id, lateMs: systemNow() - due });
    await Promise.race([
      pause(workMs),
      new Promise((resolve) => context?.signal?.addEventListener("abort", resolve, { once: true })),
    ]);
    note({ event: "end", kind, id, lateMs: systemNow() - due });
    return { answer: id };
  };

if (role === "replica") {
  router.register({ id: "look", description: "reads", librarian: work("look") });
  router.register({
    id: "change",
    description: "writes",
    effects: effects === "read" ? "read" : "write",
    librarian: work("change"),
  });
  serveLibrarians(router, transport);
}
await router.open();
process.send?.("ready");
process.once("SIGTERM", () => {
  void transport
    .close()
    .then(() => router.close())
    .then(() => process.exit(0));
});
if (role === "caller") {
  for (let call = 0; ; call++) {
    const id = `caller-${process.pid}-${call}`;
    const query = JSON.stringify({ id, due: systemNow() + 10_000 });
    await router.ask(query, { to: call % 4 === 0 ? "change" : "look" });
  }
}
