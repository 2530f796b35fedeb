import { expect, it } from "vitest";
import { createMemoryStore } from "./memory-store.js";
import { testJournalStore } from "./store-suite.js";

testJournalStore("memory", { create: () => createMemoryStore() });

it("keeps the newest of the runs that have ended", async () => {
  const store = createMemoryStore({ maxKept: 2 });
  for (const runId of ["a", "b", "c"]) {
    await store.write([
      { type: "create-run", runId, user: undefined, owner: "one", at: 1, request: "{}" },
      {
        ...{ type: "release-run", runId, epoch: 1, status: "ended", at: 2, activeMs: 1 },
        outcome: undefined,
      },
    ]);
  }

  expect((await store.listRuns({ limit: 10 })).map(({ id }) => id)).toEqual(["c", "b"]);
  expect(() => createMemoryStore({ maxKept: 0 })).toThrow(
    new RangeError("maxKept: expected an integer of 1 or more, got 0."),
  );
});
