import { createRouter } from "@constellation/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { processes } from "../test/linked-processes.js";
import { createFaultyLink } from "./faulty-link.js";
import { decodeMessage } from "./message.js";
import { serveLibrarians } from "./serve-librarians.js";
import { testTransport } from "./suite/transport-suite.js";

testTransport("links of one process", { start: processes() });

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

describe("a transport over links that delay a call", () => {
  it("takes a first attempt that comes after the second for the same call", async () => {
    let held: (() => void) | undefined;
    const start = processes((link) => ({
      ...link,
      get isConnected() {
        return link.isConnected;
      },
      subscribe: (subject, onMessage, group) =>
        link.subscribe(
          subject,
          (message) => {
            if (decodeMessage(message.payload)?.header.t !== "call") return onMessage(message);
            if (held === undefined) {
              held = () => onMessage(message);
            } else {
              onMessage(message);
              held();
            }
          },
          group,
        ),
    }));
    const librarian = vi.fn(async () => ({ answer: "so" }));
    const open = async () => {
      const { transport } = await start("delayed");
      const router = createRouter({ transport });
      onTestFinished(() => router.close());
      return { transport, router };
    };
    const server = await open();
    server.router.register({ id: "docs", description: "answers", librarian });
    serveLibrarians(server.router, server.transport);
    await server.router.open();
    const client = await open();
    await client.router.open();

    expect(await client.router.ask("q", { to: "docs" })).toMatchObject({ answer: "so" });
    expect(librarian).toHaveBeenCalledOnce();
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
