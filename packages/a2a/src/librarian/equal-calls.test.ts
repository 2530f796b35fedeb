import { createRouter, type Librarian } from "@constellation/core";
import { afterEach, describe, expect, it } from "vitest";
import { said, serveAgent } from "../../test/agents.js";
import { serveLoopback } from "../../test/loopback.js";
import { createA2AHandler, createA2ALibrarian } from "../index.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

const toNext: Librarian = async () => ({ delegate: { to: "next" } });

describe("an agent that forwards no path", () => {
  it("ends a loop through it within ten rounds", async () => {
    let rounds = 0;
    let mesh = "";
    const agent = await serveAgent(async ({ id, params }) => {
      const { message } = params as { message: { parts: { text: string }[] } };
      const body = {
        jsonrpc: "2.0",
        id,
        method: "SendMessage",
        // The same question, in other letters: nothing else of the call.
        params: {
          message: { ...said(message.parts[0]?.text.toUpperCase() ?? ""), role: "ROLE_USER" },
        },
      };
      const reply = await fetch(mesh, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": "1.0" },
        body: JSON.stringify(body),
      });
      const { result } = (await reply.json()) as { result: { task: object } };
      return Response.json({ jsonrpc: "2.0", id, result });
    });
    const router = createRouter({ entry: "front", timeoutMs: 5_000 });
    router.register({
      id: "front",
      description: "delegates to the agent",
      librarian: async (query, context) => {
        rounds++;
        return toNext(query, context);
      },
    });
    router.register(createA2ALibrarian({ id: "next", url: agent.url }));
    const handler = createA2AHandler(router);
    const served = await serveLoopback(handler);
    cleanUp.push(agent.close, served.close, handler.close);
    mesh = served.url;

    const { answer } = await router.ask("Who knows?");

    expect(answer).toBeUndefined();
    expect(rounds).toBeGreaterThan(1);
    expect(rounds).toBeLessThanOrEqual(10);
  });

  it("answers equal questions that only take turns, each of them", async () => {
    let atOnce = 0;
    let most = 0;
    const agent = await serveAgent(async ({ id }) => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce--;
      return Response.json({ jsonrpc: "2.0", id, result: { message: said("so") } });
    });
    cleanUp.push(agent.close);
    const router = createRouter({ entry: "next" });
    router.register(createA2ALibrarian({ id: "next", url: agent.url }));

    const asked = Array.from({ length: 40 }, () => router.ask("Who knows?"));

    expect((await Promise.all(asked)).map(({ answer }) => answer)).toEqual(asked.map(() => "so"));
    expect(most).toBeLessThanOrEqual(8);
  });

  it("gives up a place for a question whose caller leaves", async () => {
    const release: (() => void)[] = [];
    const agent = await serveAgent(async ({ id, method }) => {
      if (method === "SendMessage") await new Promise<void>((resolve) => release.push(resolve));
      return Response.json({ jsonrpc: "2.0", id, result: { message: said("so") } });
    });
    cleanUp.push(agent.close);
    const router = createRouter({ entry: "next" });
    router.register(createA2ALibrarian({ id: "next", url: agent.url }));
    const asked = Array.from({ length: 8 }, () => router.start("Who knows?"));
    await expect.poll(() => release.length, { timeout: 20_000 }).toBe(8);

    const waits = router.start("Who knows?");
    const left = router.start("Who knows?");
    left.cancel();
    expect((await left.response).error?.details?.reason).toBe("cancelled");
    asked[0]?.cancel(); // its place goes to the one that waits
    await expect.poll(() => release.length, { timeout: 20_000 }).toBe(9);
    for (const each of release) each();

    expect((await waits.response).answer).toBe("so");
  });
});
