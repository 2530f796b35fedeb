import { createRouter } from "@constellation/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { seeded } from "../testing/seeded.js";
import { createTransport } from "./create-transport.js";
import { createFaultyLink, type LinkFaults } from "./faulty-link.js";
import { createInProcessBus, type InProcessBus } from "./in-process-link.js";
import type { Link } from "./link.js";
import { serveLibrarians } from "./serve-librarians.js";
import { testTransport } from "./suite/transport-suite.js";

const times = { heartbeatMs: 50, lostAfterMs: 300, presenceMs: 100, maxAttempts: 10 };

/** Starts processes, each with its own link to the bus of its mesh. */
function processes(wrap: (link: Link) => Link = (link) => link) {
  const buses = new Map<string, InProcessBus>();
  return async (mesh: string) => {
    const bus = buses.get(mesh) ?? createInProcessBus();
    buses.set(mesh, bus);
    const link = bus.connect();
    return {
      transport: createTransport(wrap(link), { ...times, mesh, caller: "test" }),
      crash: () => link.close(),
    };
  };
}

testTransport("links of one process", { start: processes() });

const faults: LinkFaults = { doubled: 0.3, delayed: 0.5, maxDelayMs: 40 };
const random = seeded(7);
testTransport("links that delay, double and reorder", {
  start: processes((link) => createFaultyLink(link, faults, random)),
});

describe("a transport that comes to a mesh of many processes", () => {
  it("learns of all of them as one change, before it is open", async () => {
    const start = processes();
    for (let index = 0; index < 40; index++) {
      const { transport } = await start("many");
      const info = { description: "answers", effects: "read" as const };
      for (let each = 0; each < 5; each++) {
        transport.serve({ ...info, id: `librarian-${index}-${each}` }, () => Promise.reject());
      }
      onTestFinished(() => transport.close());
      await transport.open();
    }
    const { transport } = await start("many");
    onTestFinished(() => transport.close());
    let changes = 0;
    transport.onChange(() => changes++);

    await transport.open();

    expect(changes).toBe(1);
    expect(transport.present()).toHaveLength(200);
    expect(transport.replicas("librarian-7-3")).toHaveLength(1);
  });
});

describe("a transport over links that double each message", () => {
  it("reports each line of progress once, in order", async () => {
    const start = processes((link) => createFaultyLink(link, { doubled: 1 }, () => 0.5));
    const lines = ["first", "second", "third"];
    const routers = await Promise.all(
      [0, 1].map(async () => {
        const { transport } = await start("doubled");
        return { transport, router: createRouter({ transport }) };
      }),
    );
    const [server, client] = routers;
    server?.router.register({
      id: "busy",
      description: "works",
      librarian: async (_query, context) => {
        for (const line of lines) context?.report?.(line);
        return { answer: "so" };
      },
    });
    if (server !== undefined) serveLibrarians(server.router, server.transport);
    for (const { router } of routers) {
      onTestFinished(() => router.close());
      await router.open();
    }
    const reported: unknown[] = [];
    client?.router.on("hop:progress", ({ progress }) => void reported.push(progress));

    await client?.router.ask("q", { to: "busy" });

    expect(reported).toEqual(lines.map((message) => ({ message })));
  });
});

describe("a transport over links that lose messages too", () => {
  it("answers every read, does no write twice, and ends every call in time", async () => {
    const next = seeded(11);
    const lossy = { ...faults, lost: 0.1 };
    const start = processes((link) => createFaultyLink(link, lossy, next));
    const writes = new Map<string, number>();
    for (let replica = 0; replica < 3; replica++) {
      const { transport } = await start("lossy");
      const router = createRouter({ transport });
      router.register({
        id: "docs",
        description: "reads",
        librarian: async () => ({ answer: "so" }),
      });
      router.register({
        id: "deploy",
        description: "writes",
        effects: "write",
        librarian: async (query) => {
          writes.set(query, (writes.get(query) ?? 0) + 1);
          return { answer: "done" };
        },
      });
      serveLibrarians(router, transport);
      await router.open();
      onTestFinished(() => router.close());
    }
    const { transport } = await start("lossy");
    const router = createRouter({ transport, timeoutMs: 20_000 });
    await router.open();
    onTestFinished(() => router.close());

    const reads = await Promise.all(
      Array.from({ length: 60 }, (_, index) => router.ask(`read ${index}`, { to: "docs" })),
    );
    const written = await Promise.all(
      Array.from({ length: 60 }, (_, index) => router.ask(`write ${index}`, { to: "deploy" })),
    );

    expect(reads.filter(({ answer }) => answer !== "so")).toEqual([]);
    expect([...writes.values()].filter((count) => count > 1)).toEqual([]);
    for (const { answer, error } of written) {
      expect(answer === "done" || error?.details?.reason === "remote-lost").toBe(true);
    }
  });
});
