import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createRouter, type Router } from "@constellation/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/bundle.js";
import { createNatsTransport } from "./index.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "./testing.js";

const source = fileURLToPath(new URL("../test/mesh-process.ts", import.meta.url));

/** A process of its own, which serves one librarian. */
interface MeshProcess {
  readonly child: ChildProcess;
  /** Number of calls of its librarian so far. */
  readonly calls: () => number;
  /** Number of those that were cancelled. */
  readonly cancelled: () => number;
}

describe.skipIf(!hasNatsServer())("processes of one mesh", () => {
  let server: NatsServer | undefined;
  let script = "";

  beforeAll(async () => {
    [server, script] = await Promise.all([startNatsServer(), bundle(source)]);
  });

  afterAll(() => server?.stop());

  async function startProcess(mesh: string, id: string, does: string): Promise<MeshProcess> {
    const child = spawn(process.execPath, [script, server?.url ?? "", mesh, id, does], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines: string[] = [];
    const ready = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        lines.push(line);
        if (line === "ready") resolve();
      });
    });
    await Promise.race([
      ready,
      once(child, "exit").then(() => Promise.reject(new Error("It ended at its start."))),
    ]);
    const count = (word: string) => lines.filter((line) => line === word).length;
    return { child, calls: () => count("called"), cancelled: () => count("cancelled") };
  }

  async function openRouter(mesh: string): Promise<Router> {
    const transport = createNatsTransport({
      servers: server?.url ?? "",
      mesh,
      heartbeatMs: 100,
      lostAfterMs: 2_000,
      presenceMs: 200,
    });
    const router = createRouter({ transport });
    onTestFinished(() => router.close());
    await router.open();
    return router;
  }

  it("detect a loop through three of them, and call each librarian once", async () => {
    const processes = await Promise.all([
      startProcess("ring", "a", "b"),
      startProcess("ring", "b", "c"),
      startProcess("ring", "c", "a"),
    ]);
    const router = await openRouter("ring");

    const { error } = await router.ask("who knows?", { to: "a" });

    expect(error).toMatchObject({
      code: "LOOP_DETECTED",
      details: { path: ["ring/a", "ring/b", "ring/c", "ring/a"] },
    });
    expect(processes.map(({ calls }) => calls())).toEqual([1, 1, 1]);
  });

  it("lose one in mid-call by kill -9, and answer from another", async () => {
    const hanging = await startProcess("lost", "docs", "hang");
    const router = await openRouter("lost");
    const answering = router.ask("q", { to: "docs" });
    await expect.poll(hanging.calls, { timeout: 20_000 }).toBe(1);
    const other = await startProcess("lost", "docs", "answer");

    hanging.child.kill("SIGKILL");

    expect((await answering).answer).toBe(`by ${other.child.pid}`);
  });

  it("answer a call once although their event loop is busy for longer than a lost process is given", async () => {
    const workers = await Promise.all([
      startProcess("busy", "cpu", "block"),
      startProcess("busy", "cpu", "block"),
    ]);
    const router = await openRouter("busy");

    expect((await router.ask("q", { to: "cpu" })).answer).toMatch(/^by /);
    expect(workers.reduce((sum, { calls }) => sum + calls(), 0)).toBe(1);
  });

  it("stop the work for a caller that was ended by kill -9", async () => {
    const worker = await startProcess("orphan", "slow", "hang");
    const caller = await startProcess("orphan", "desk", "slow");
    const router = await openRouter("orphan");
    const run = router.start("q", { to: "desk", timeoutMs: 30_000 });
    await expect.poll(worker.calls, { timeout: 20_000 }).toBe(1);

    caller.child.kill("SIGKILL");
    const { error } = await run.response;

    expect(error?.code).toBe("SERVICE_UNAVAILABLE");
    await expect.poll(worker.cancelled, { timeout: 20_000 }).toBe(1);
  });

  it("end on SIGTERM once their calls have ended, and are gone for the others", async () => {
    const { child } = await startProcess("drain", "docs", "answer");
    const router = await openRouter("drain");
    expect(router.list().map(({ id }) => id)).toEqual(["docs"]);
    expect((await router.ask("q", { to: "docs" })).answer).toBe(`by ${child.pid}`);

    child.kill("SIGTERM");
    const [code] = await once(child, "exit");

    expect(code).toBe(0);
    await expect.poll(() => router.list()).toEqual([]);
  });
});
