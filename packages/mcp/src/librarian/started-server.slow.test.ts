import { fileURLToPath } from "node:url";
import { getHeapStatistics } from "node:v8";
import { testContext } from "@constellation/testing";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { bundle } from "../../../../scripts/bundle.js";
import { createMcpLibrarian } from "./mcp-librarian.js";
import type { McpLibrarianOptions } from "./options.js";

const cleanUp: (() => Promise<unknown> | undefined)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

/** For what takes a moment, on a machine that may be busy, in milliseconds. */
const patienceMs = 40_000;

const { signal: unending } = new AbortController();

function librarianOf(options: Pick<McpLibrarianOptions, "server"> & Partial<McpLibrarianOptions>) {
  const definition = createMcpLibrarian({
    id: "remote",
    description: "a remote tool",
    tool: "search",
    timeoutMs: patienceMs,
    ...options,
  });
  cleanUp.push(() => definition.close?.(unending));
  const { librarian } = definition;
  return {
    ...definition,
    ask: (query: string, context = testContext(), withinMs = patienceMs) =>
      librarian(query, { ...context, deadline: Date.now() + withinMs }),
  };
}

describe("a server that is started", () => {
  const server = {
    command: process.execPath,
    args: [] as readonly string[],
    env: { TICKETS: "two" },
  };

  beforeAll(async () => {
    server.args = [
      await bundle(fileURLToPath(new URL("../../test/stdio-tool.ts", import.meta.url))),
    ];
  });

  it("answers, and sees nothing of our environment but what it is given", async () => {
    vi.stubEnv("SECRET", "hunter2");
    const remote = librarianOf({ server });

    const { answer } = await remote.ask("billing");

    vi.unstubAllEnvs();
    expect(answer).toMatch(/^\d+: two tickets, no secret$/);
  });

  it("may write what is not a message", async () => {
    const remote = librarianOf({ server });

    expect((await remote.ask("babble")).answer).toContain("two tickets");
  });

  it("fails a call with SERVICE_UNAVAILABLE when it dies, and is started again for the next", async () => {
    const remote = librarianOf({ server });

    const died = await remote.ask("die");
    const next = await remote.ask("billing");

    expect(died.error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { reason: "remote-lost" },
    });
    expect(next.answer).toContain("two tickets");
  });

  it("fails a call with DATA_SOURCE_ERROR when it sends 50 MB, and holds none of it", async () => {
    const remote = librarianOf({ server });
    const before = getHeapStatistics().used_heap_size;

    const { error } = await remote.ask("shout");

    expect(error).toMatchObject({
      code: "DATA_SOURCE_ERROR",
      details: { reason: "invalid-response" },
    });
    expect(getHeapStatistics().used_heap_size - before).toBeLessThan(20_000_000);
  });

  it("is started again when it is stuck for good", async () => {
    const remote = librarianOf({ server });
    await remote.ask("billing"); // so that it runs

    const stuck = await remote.ask("hang", testContext(), 200);
    const next = await vi.waitFor(
      async () => {
        const response = await remote.ask("billing", testContext(), 10_000);
        expect(response.answer).toBeDefined();
        return response;
      },
      { timeout: patienceMs },
    );

    expect(stuck.error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
    expect(next.answer).toContain("two tickets");
  });

  it("is SERVICE_UNAVAILABLE when the command is not found", async () => {
    const remote = librarianOf({ server: { command: "/no/such/command" } });

    const { error } = await remote.ask("billing");

    expect(error?.code).toBe("SERVICE_UNAVAILABLE");
    expect(await remote.health?.(unending)).toMatchObject({ status: "down" });
  });

  it("is gone when its librarian is closed", async () => {
    const remote = librarianOf({ server });
    const { answer = "" } = await remote.ask("billing");

    await remote.close?.(unending);

    const isThere = () => process.kill(Number.parseInt(answer, 10), 0);
    await vi.waitFor(() => expect(isThere).toThrow("ESRCH"), { timeout: patienceMs });
  });
});
