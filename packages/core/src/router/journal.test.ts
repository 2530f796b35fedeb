import { describe, expect, it } from "vitest";
import type { MeshEvent } from "../events/events.js";
import { createJournal } from "./journal.js";

const settled: MeshEvent = { type: "run:settled", runId: "r", at: 1 };
const progress: MeshEvent = {
  type: "hop:progress",
  runId: "r",
  at: 1,
  hopId: 1,
  to: "a",
  progress: { message: "busy" },
};

async function readAll(events: AsyncIterable<MeshEvent>): Promise<readonly MeshEvent[]> {
  const all: MeshEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("createJournal", () => {
  it("gives each reader every event from the first on, early or late", async () => {
    const journal = createJournal();
    const early = readAll(journal.read());
    journal.add(settled);
    await Promise.resolve();
    journal.add(progress);
    journal.close();

    expect(await early).toEqual([settled, progress]);
    expect(await readAll(journal.read())).toEqual([settled, progress]);
  });

  it("ends for a reader that stops in the middle of waiting", async () => {
    const reader = createJournal().read();
    const waiting = reader.next();

    await reader.return?.();

    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("keeps a bounded number of lines of progress, and every other event", () => {
    const journal = createJournal();

    for (let line = 0; line < 10_500; line++) journal.add(progress);
    journal.add(settled);

    expect(journal.events).toHaveLength(10_001);
    expect(journal.events.at(-1)).toBe(settled);
  });
});
