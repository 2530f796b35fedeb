import { createRouter, type Librarian } from "@constellation/core";
import { serveLibrarians } from "@constellation/transport";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { serverConfiguration } from "../test/server-configuration.js";
import { createNatsTransport } from "./index.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "./testing.js";

/** As an administrator sets the server up. */
const configuration = serverConfiguration("shop", [
  { name: "desk", calls: ["docs"] },
  { name: "docs", serves: ["docs"] },
]);

describe.skipIf(!hasNatsServer())("a server with permissions", () => {
  let server: NatsServer | undefined;

  beforeAll(async () => {
    server = await startNatsServer(configuration);
  });

  afterAll(() => server?.stop());

  async function open(name: string, caller: string, librarians: Record<string, Librarian> = {}) {
    const transport = createNatsTransport({
      servers: server?.url ?? "",
      mesh: "shop",
      caller,
      credentials: { user: name, password: `${name}-password` },
      heartbeatMs: 50,
      lostAfterMs: 300,
      maxAttempts: 1,
    });
    const router = createRouter({ transport });
    for (const [id, librarian] of Object.entries(librarians)) {
      router.register({ id, description: id, librarian });
    }
    serveLibrarians(router, transport, {
      librarians: Object.keys(librarians),
      trustedPeers: ["desk"],
    });
    await router.open();
    onTestFinished(() => router.close());
    return router;
  }

  it("lets a caller call under its own name, with its user, and no other", async () => {
    const users: unknown[] = [];
    await open("docs", "docs", {
      docs: async (_query, context) => {
        users.push(context?.user?.id);
        return { answer: "so" };
      },
    });
    const desk = await open("desk", "desk");
    expect((await desk.ask("q", { to: "docs", user: { id: "ada" } })).answer).toBe("so");

    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    const forged = await open("desk", "boss");
    const { error } = await forged.ask("q", { to: "docs", user: { id: "admin" } });

    expect(error?.code).toBe("SERVICE_UNAVAILABLE");
    expect(users).toEqual(["ada"]);
    expect(String(warned.mock.calls[0]?.[0])).toContain("Permissions Violation");
  });

  it("refuses wrong credentials, and says so", async () => {
    const transport = createNatsTransport({
      servers: server?.url ?? "",
      credentials: { user: "desk", password: "wrong" },
    });

    await expect(createRouter({ transport }).open()).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: expect.stringContaining("rejected the credentials"),
    });
  });
});

describe("the options of the NATS transport", () => {
  it.each([
    [{}, "servers"],
    [{ servers: "http://x" }, "servers"],
    [{ servers: "nats://user:secret-word@x" }, "servers"],
    [{ servers: "nats://x", mesh: "a.b" }, "mesh"],
    [{ servers: "nats://x", caller: "*" }, "caller"],
    [{ servers: "nats://x", credentials: { token: "t", user: "u", password: "p" } }, "credentials"],
    [{ servers: "nats://x", heartbeatMs: 1_000, lostAfterMs: 2_000 }, "lostAfterMs"],
    [{ servers: "nats://x", more: 1 }, "more"],
  ])("are refused when they are %j, with the key", (options, key) => {
    expect(() => createNatsTransport(options as never)).toThrow(key);
    expect(() => createNatsTransport(options as never)).not.toThrow("secret-word");
  });

  it("name the server that cannot be reached", async () => {
    const transport = createNatsTransport({ servers: "nats://127.0.0.1:1" });

    await expect(createRouter({ transport }).open()).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("nats://127.0.0.1:1"),
    });
  });
});
