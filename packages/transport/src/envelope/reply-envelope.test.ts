import { hostname } from "node:os";
import { printTree } from "@constellation/authoring";
import { createRouter, type Response } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { openCall } from "./outgoing-call.js";
import { decodeReply, encodeReply, replyTo } from "./reply-envelope.js";

/** A response after it went through the wire. */
const roundTrip = (response: Parameters<typeof encodeReply>[0]) =>
  decodeReply(JSON.parse(JSON.stringify(encodeReply(response))));

describe("a reply envelope", () => {
  it("brings the whole response back, metadata too", () => {
    const metadata = {
      workflowSelection: {
        workflow: "restart",
        parameters: { replicas: 3, ratio: 1e-7, none: null },
      },
      facts: [{ resource: "pod/a", value: 0 }, []],
    };

    expect(
      roundTrip({ answer: "so", confidence: 0.9, sources: [{ name: "a" }], metadata }),
    ).toEqual({
      answer: "so",
      confidence: 0.9,
      sources: [{ name: "a" }],
      metadata,
    });
  });

  it("adds no confidence, no source and nothing partial to an answer without them", () => {
    expect(roundTrip({ answer: "so" })).toEqual({ answer: "so" });
    expect(roundTrip({ answer: "so", confidence: 0.2, sources: [] })).toEqual({
      answer: "so",
      confidence: 0.2,
      sources: [],
    });
  });

  it("cuts an answer only where a limit is given", () => {
    const answer = "so ".repeat(10_000).trim();
    const envelope = encodeReply({ answer });

    expect(decodeReply(envelope)?.answer === answer).toBe(true);
    expect(decodeReply(envelope, 100)).toMatchObject({ partial: true });
  });

  it("brings back every code, with its details", () => {
    const path = ["a/front", "b/front", "a/front"];
    const error = { code: "LOOP_DETECTED", message: "a loop", details: { path } } as const;

    expect(roundTrip({ error })).toEqual({ error });
  });

  it("steers nothing on this side, and holds nothing active", () => {
    const response = roundTrip({
      answer: "![x](https://evil.test/?q=1) <img src=x>",
      delegate: { to: "other" },
      merge: "race",
      metadata: { "![k](https://evil.test)": "<script>", link: "javascript:alert(1)" },
    });

    expect(response).not.toHaveProperty("delegate");
    expect(response).not.toHaveProperty("merge");
    expect(JSON.stringify(response)).not.toMatch(/!\[|(?<!\\)<(?:img|script)|javascript:/);
  });

  it("leaves out metadata that is too large or no JSON, and names it", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;

    const envelope = encodeReply({
      answer: "so",
      metadata: { facts: [1], blob: "x".repeat(300_000), cycle },
    });

    expect(envelope.cut).toEqual(expect.arrayContaining(["blob", "cycle"]));
    expect(decodeReply(envelope)).toMatchObject({
      partial: true,
      metadata: { facts: [1] },
    });
  });

  it.each([
    undefined,
    null,
    1,
    "x",
    [],
    { v: 2, response: { answer: "so" } },
    { v: 1 },
    { v: 1, response: {} },
  ])("is not a reply when it is %j", (value) => {
    expect(decodeReply(value)).toBeUndefined();
  });
});

describe("the report of a reply", () => {
  /** Asks mesh "a", whose librarian calls mesh "b" through JSON, and gives the run of "a". */
  async function askThrough(
    remote: (signal: AbortSignal | undefined) => Promise<Response>,
    reply: (envelope: object) => unknown = (envelope) => envelope,
  ) {
    const other = createRouter({ name: "b", timeoutMs: 50 });
    other.register({
      id: "worker",
      description: "works",
      librarian: async (_query, context) => remote(context?.signal),
    });
    const router = createRouter({ name: "a" });
    router.register({
      id: "bridge",
      description: "calls b",
      librarian: async (query, context) => {
        const call = openCall(context);
        const { path = [], runId } = call.envelope() ?? {};
        const run = other.start(query, { caller: { path, ...(runId && { runId }) } });
        const envelope = await replyTo(run, "r".repeat(16));
        call.end(JSON.parse(JSON.stringify(reply(envelope))));
        return run.response;
      },
    });
    const run = router.start("q");
    await run.response;
    return run.explain();
  }

  it("puts the hops of the other mesh into the record, with their host, and what they used", async () => {
    const record = await askThrough(async () => ({ answer: "so", confidence: 0.9 }));

    expect(record.hops).toHaveLength(1);
    expect(record.hops[0]?.remote).toMatchObject({
      mesh: "b",
      host: hostname(),
      hops: [{ id: 1, to: "worker", outcome: "answer", confidence: 0.9 }],
    });
    expect(record.spent).toEqual({ hops: 2, tokens: 0, costUsd: 0 });
    expect(printTree(record)).toContain(`worker (b on ${hostname()})`);
  });

  it("names a librarian there that ignored its cancel", async () => {
    let release = () => {};
    const record = await askThrough(
      () => new Promise((resolve) => (release = () => resolve({ answer: "late" }))),
    );
    release();

    expect(record.hops[0]?.remoteUnsettled).toEqual([
      { librarian: "worker", mesh: "b", host: hostname() },
    ]);
  });

  it("is sanitized and bounded, whatever the other mesh reports", async () => {
    const hop = { id: 1, to: "\u001b[31mx", startMs: -5, durationMs: "x", outcome: {}, code: "NO" };
    let remote: object = { mesh: "m", hops: [] };
    for (let level = 0; level < 100; level++) remote = { mesh: "m", hops: [{ ...hop, remote }] };
    const hops = Array.from({ length: 300 }, () => ({ ...hop, remote }));
    const record = await askThrough(
      async () => ({ answer: "so" }),
      (envelope) => ({
        ...envelope,
        report: { run: { mesh: 5, hops }, spent: { hops: 1e12 }, unsettled: [5, { librarian: 1 }] },
      }),
    );
    const json = JSON.stringify(record.hops[0]?.remote);

    expect(json.match(/"outcome"/g)?.length).toBeLessThanOrEqual(200);
    expect(json).not.toContain("\\u001b");
    expect(record.hops[0]?.remote?.hops[0]).toMatchObject({ startMs: 0, durationMs: 0 });
    expect(record.spent?.hops).toBeLessThanOrEqual(64);
  });
});
