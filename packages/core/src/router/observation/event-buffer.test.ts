import { describe, expect, it } from "vitest";
import type { MeshEvent } from "../../events/events.js";
import { bufferLimits, EventBuffer } from "./event-buffer.js";

const settled: MeshEvent = { type: "run:settled", runId: "r", at: 1 };
const progress: MeshEvent = {
  type: "hop:progress",
  runId: "r",
  at: 1,
  hopId: 1,
  to: "a",
  progress: { message: "busy" },
};

function refused(query: string): MeshEvent {
  return {
    type: "hop:refused",
    runId: "r",
    at: 1,
    hopId: 1,
    to: "a",
    depth: 1,
    via: "ask",
    query,
    error: { code: "MAX_DEPTH_EXCEEDED", message: "m" },
  };
}

async function readAll(events: AsyncIterable<MeshEvent>): Promise<readonly MeshEvent[]> {
  const all: MeshEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("EventBuffer", () => {
  it("gives each reader every event from the first on, early or late", async () => {
    const buffer = new EventBuffer();
    const early = readAll(buffer.read());
    buffer.add(settled);
    await Promise.resolve();
    buffer.add(progress);
    buffer.close();

    expect(await early).toEqual([settled, progress]);
    expect(await readAll(buffer.read())).toEqual([settled, progress]);
  });

  it("ends for a reader that stops in the middle of waiting", async () => {
    const reader = new EventBuffer().read();
    const waiting = reader.next();

    await reader.return?.();

    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("keeps a bounded number of lines of progress, and every other event", () => {
    const buffer = new EventBuffer();

    for (let line = 0; line < 10_500; line++) buffer.add(progress);
    buffer.add(settled);

    expect(buffer.events).toHaveLength(10_001);
    expect(buffer.events.at(-1)).toBe(settled);
  });

  it("keeps a bounded number of characters of progress", () => {
    const buffer = new EventBuffer();
    const text = "x".repeat(65_536);

    for (let piece = 0; piece < 10_000; piece++) buffer.add({ ...progress, progress: { text } });

    expect(buffer.events.length * text.length).toBeLessThanOrEqual(bufferLimits.characters);
    expect(buffer.events.length).toBeGreaterThan(0);
  });

  it("keeps every call of a model, and a bounded number of characters of what was said", () => {
    const buffer = new EventBuffer();
    const call = { runId: "r", at: 1, hopId: 1, to: "a", callId: 1, method: "complete" } as const;
    const content = { prompt: "x".repeat(65_536) };

    for (let each = 0; each < 100; each++) {
      buffer.add({ type: "model:end", ...call, durationMs: 1, content });
    }

    expect(buffer.events).toHaveLength(100);
    const kept = buffer.events.flatMap((event) => ("content" in event ? event.content.prompt : []));
    expect(kept.join("").length).toBe(bufferLimits.modelCharacters);
  });

  it("keeps a bounded number of refused hops, and counts the others", () => {
    const buffer = new EventBuffer();

    for (let hop = 0; hop < 1_500; hop++) buffer.add(refused("q"));

    expect(buffer.events).toHaveLength(1_000);
    expect(buffer.omittedRefusals).toBe(500);
  });

  it("keeps a bounded number of characters of refused queries", () => {
    const buffer = new EventBuffer();

    for (let hop = 0; hop < 10; hop++) buffer.add(refused("x".repeat(1_000_000)));

    expect(buffer.events).toHaveLength(4);
    expect(buffer.omittedRefusals).toBe(6);
  });
});
