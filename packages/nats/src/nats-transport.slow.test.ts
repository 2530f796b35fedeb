import { createRouter } from "@constellation/core";
import { createTransport, serveLibrarians } from "@constellation/transport";
import { testTransport } from "@constellation/transport/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPartition } from "../test/partition.js";
import { createNatsTransport } from "./index.js";
import { createNatsLink } from "./nats-link.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "./testing.js";

const times = { heartbeatMs: 100, lostAfterMs: 1_500, presenceMs: 100 };

describe.skipIf(!hasNatsServer())("a transport over NATS", () => {
  let server: NatsServer | undefined;

  beforeAll(async () => {
    server = await startNatsServer();
  });

  afterAll(() => server?.stop());

  testTransport("NATS", {
    start: async (mesh) => {
      const link = createNatsLink({ servers: server?.url ?? "", mesh, caller: "any" });
      const transport = createTransport(link, { ...times, maxAttempts: 3, mesh, caller: "any" });
      return { transport, crash: () => link.close() };
    },
  });

  it("works again, with the same librarians, when its server was killed and is back", async () => {
    const own = await startNatsServer();
    onTestFinished(() => own.stop());
    const start = async () => {
      const transport = createNatsTransport({ servers: own.url, mesh: "back", ...times });
      const router = createRouter({ transport });
      onTestFinished(() => router.close());
      return { router, transport };
    };
    const { router: there, transport } = await start();
    there.register({ id: "docs", description: "docs", librarian: async () => ({ answer: "so" }) });
    serveLibrarians(there, transport);
    await there.open();
    const { router: here } = await start();
    await here.open();
    expect((await here.ask("q", { to: "docs" })).answer).toBe("so");

    await own.kill();
    const { error } = await here.ask("q", { to: "docs" });
    expect(error?.code).toMatch(/SERVICE_UNAVAILABLE|NOT_FOUND/);
    await own.restart();

    await expect
      .poll(async () => (await here.ask("q", { to: "docs" })).answer, { timeout: 40_000 })
      .toBe("so");
  });

  it("ends a read in time when its server is killed while a librarian works on it", async () => {
    const own = await startNatsServer();
    onTestFinished(() => own.stop());
    let begun = () => {};
    const working = new Promise<void>((resolve) => (begun = resolve));
    let calls = 0;
    const start = () => {
      const transport = createNatsTransport({ servers: own.url, mesh: "killed", ...times });
      const router = createRouter({ transport, timeoutMs: 20_000 });
      onTestFinished(() => router.close({ timeoutMs: 500 }));
      return { router, transport };
    };
    const there = start();
    there.router.register({
      id: "docs",
      description: "docs",
      librarian: async () => {
        begun();
        return ++calls === 1 ? new Promise(() => {}) : { answer: "so" };
      },
    });
    serveLibrarians(there.router, there.transport);
    await there.router.open();
    const here = start();
    await here.router.open();

    const asking = here.router.ask("q", { to: "docs" });
    await working;
    await own.kill();

    expect((await asking).error?.code).toBe("SERVICE_UNAVAILABLE");
    await own.restart();
    await expect
      .poll(async () => (await here.router.ask("q", { to: "docs" })).answer, { timeout: 40_000 })
      .toBe("so");
  });

  it("ends a call in time when the network is cut, and works again when it heals", async () => {
    const network = await createPartition(server?.url ?? "");
    onTestFinished(() => network.close());
    const start = async (servers: string) => {
      const transport = createNatsTransport({ servers, mesh: "cut", ...times });
      const router = createRouter({ transport, timeoutMs: 10_000 });
      onTestFinished(() => router.close());
      return { router, transport };
    };
    const { router: there, transport } = await start(server?.url ?? "");
    there.register({ id: "docs", description: "docs", librarian: async () => ({ answer: "so" }) });
    serveLibrarians(there, transport);
    await there.open();
    const { router: here } = await start(network.url);
    await here.open();
    expect((await here.ask("q", { to: "docs" })).answer).toBe("so");

    network.cut();
    const { error } = await here.ask("q", { to: "docs" });
    expect(error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { reason: "remote-lost" },
    });
    network.heal();

    await expect
      .poll(async () => (await here.ask("q", { to: "docs" })).answer, { timeout: 40_000 })
      .toBe("so");
  });
});
