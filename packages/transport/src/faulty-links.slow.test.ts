import { createRouter } from "@constellation/core";
import { seeded } from "@constellation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { processes } from "../test/linked-processes.js";
import { createFaultyLink, type LinkFaults } from "./faulty-link.js";
import { serveLibrarians } from "./serve-librarians.js";
import { testTransport } from "./suite/transport-suite.js";

const faults: LinkFaults = { doubled: 0.3, delayed: 0.5, maxDelayMs: 40 };
const random = seeded(7);
testTransport("links that delay, double and reorder", {
  start: processes((link) => createFaultyLink(link, faults, random)),
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
