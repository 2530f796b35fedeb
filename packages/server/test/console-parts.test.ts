import type { Librarian } from "@constellation/core";
import { aiFailure, scriptedAI } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { echo, eventsOf, serveMesh } from "./served-mesh.js";

/** A module of the page, which has no types here. */
function part(name: string) {
  return import(new URL(`../console/${name}`, import.meta.url).href);
}

describe("a live run of the console", () => {
  it("ends as the record that the server keeps", async () => {
    const { LiveRun } = await part("live-run.js");
    const desk: Librarian = async (_query, context) => {
      await context?.ask?.("and you?", { to: "echo" });
      return {
        delegate: [
          { to: "asking" },
          { to: "echo", context: { reason: "it repeats" } },
          { to: "failing" },
          { to: "nobody" },
          { to: "desk" },
        ],
      };
    };
    const mesh = await serveMesh(
      {
        desk,
        echo,
        asking: async (_query, context) => {
          const again = { attempt: 2, why: "it was of no use" };
          const reply = await context?.ai?.complete({ prompt: "hi", again });
          await context?.ai?.complete({ prompt: "again" }).catch(() => undefined);
          return { answer: reply?.text ?? "" };
        },
        failing: async () => ({
          error: { code: "NOT_FOUND", message: "no", details: { reason: "no-information" } },
        }),
      },
      { ai: scriptedAI([{ text: "ok", usage: { costUsd: 0.1 } }, aiFailure()]) },
    );
    const live = new LiveRun();

    for await (const event of eventsOf(await mesh.post("/ask/stream", { query: "who?" }))) {
      live.add(event);
    }

    const kept = (await (await mesh.fetch(`/runs/${live.record.runId}`)).json()) as {
      record: object;
    };
    expect(live.record.hops).toHaveLength(7);
    expect(JSON.parse(JSON.stringify(live.record))).toEqual(kept.record);
  });

  it("knows which hop does the work of another one again", async () => {
    const { LiveRun } = await part("live-run.js");
    const live = new LiveRun();
    const again = { kind: "retry", hopId: 1 };

    live.add({ event: "hop:start", data: { hopId: 1, to: "docs", at: 0 } });
    live.add({ event: "hop:start", data: { hopId: 2, to: "docs", attempt: 2, again, at: 0 } });

    expect(live.record.hops[1]).toMatchObject({ attempt: 2, again });
  });
});

describe("the words of a live run", () => {
  it("stay together by librarian, when several write at once", async () => {
    const { LiveRun } = await part("live-run.js");
    const live = new LiveRun();
    const add = (event: string, data: object) => live.add({ event, data });
    add("hop:start", { hopId: 1, to: "a", at: 0 });
    add("hop:start", { hopId: 2, to: "b", at: 0 });

    for (const [hopId, text] of [
      [1, "Res"],
      [2, "See "],
      [1, "tart."],
      [2, "docs."],
    ]) {
      add("hop:progress", { hopId, progress: { text } });
    }

    expect(live.text).toBe("Restart.\n\nSee docs.");
  });

  it("begin anew where a librarian withdraws its draft", async () => {
    const { LiveRun } = await part("live-run.js");
    const live = new LiveRun();
    const write = (progress: object) =>
      live.add({ event: "hop:progress", data: { hopId: 1, progress } });
    live.add({ event: "hop:start", data: { hopId: 1, to: "docs", depth: 0, at: 0 } });

    write({ text: "Run `rm -rf" });
    expect([live.text, live.hasWithdrawn]).toEqual(["Run `rm -rf", false]);
    write({ text: "", replaces: true });
    expect([live.text, live.hasWithdrawn]).toEqual(["", true]);
    write({ text: "Undo it." });
    expect(live.text).toBe("Undo it.");
  });

  it("are those of the merge, once it writes what the branches wrote", async () => {
    const { LiveRun } = await part("live-run.js");
    const live = new LiveRun();
    const add = (event: string, data: object) => live.add({ event, data });
    add("hop:start", { hopId: 1, to: "desk", at: 0 });
    add("hop:end", { hopId: 1, outcome: "delegate", durationMs: 1 });
    add("fanout:start", { hopId: 1, strategy: "ai-blend", delegates: ["docs"] });
    add("hop:start", { hopId: 2, parentId: 1, to: "docs", at: 0 });
    add("hop:progress", { hopId: 2, progress: { text: "Restart it." } });
    add("hop:end", { hopId: 2, outcome: "answer", durationMs: 1 });

    add("model:start", { hopId: 1, callId: 1, method: "analyze", model: "model-1", at: 0 });
    expect(live.hops.get(1)).toMatchObject({ progress: "asking the model (model-1)" });
    add("hop:progress", { hopId: 1, progress: { text: "One restart helps." } });
    expect(live.text).toBe("One restart helps.");
    add("fanout:end", { hopId: 1, strategy: "ai-blend", used: ["docs"], missing: [], at: 0 });
    expect(live.hops.get(1)).not.toHaveProperty("progress");
  });

  it("are bounded", async () => {
    const { LiveRun } = await part("live-run.js");
    const live = new LiveRun();
    live.add({ event: "hop:start", data: { hopId: 1, to: "a", at: 0 } });
    const data = { hopId: 1, progress: { text: "x".repeat(60_000) } };

    for (let piece = 0; piece < 10; piece++) live.add({ event: "hop:progress", data });

    expect(live.text.length).toBeLessThan(120_000);
  });
});

describe("the boxes of the mesh", () => {
  const health = { status: "unknown" };
  const librarian = (index: number, more: object = {}) => ({ id: `l${index}`, health, ...more });

  it("are one for each librarian, with each delegation once", async () => {
    const { boxesOf } = await part("mesh-boxes.js");
    const librarians = [librarian(1, { delegatesTo: ["l2", "gone", "l1"] }), librarian(2)];
    const delegations = [
      { from: "l1", to: "l2", count: 3 },
      { from: "l2", to: "l1", count: 1 },
    ];

    const { boxes, edges } = boxesOf({ librarians, delegations }, new Set());

    expect(boxes.map(({ id }: { id: string }) => id)).toEqual(["l1", "l2"]);
    expect(edges).toEqual([
      { from: "l1", to: "l2", isDeclared: true, count: 3 },
      { from: "l2", to: "l1", isDeclared: false, count: 1 },
    ]);
  });

  it("of a large mesh hold a team each, and those alike that have none, until one is opened", async () => {
    const { boxesOf } = await part("mesh-boxes.js");
    const librarians = [
      librarian(0, { delegatesTo: Array.from({ length: 399 }, (_, index) => `l${index + 1}`) }),
      ...Array.from({ length: 300 }, (_, index) => librarian(index + 1)),
      ...Array.from({ length: 99 }, (_, index) => librarian(index + 301, { team: "pay" })),
    ];
    const sizes = (open: readonly string[]) => {
      const { boxes, edges } = boxesOf({ librarians, delegations: [] }, new Set(open));
      return [boxes.map(({ members }: { members: unknown[] }) => members.length), edges.length];
    };

    expect(sizes([])).toEqual([[1, 300, 99], 2]);
    expect(sizes(["team pay"])).toEqual([[1, 300, ...Array(99).fill(1)], 100]);
  });
});
