import type { RunRecord } from "@constellation/core";
import { expect, it } from "vitest";
import { printTree } from "./print-record.js";

it("says for how long a librarian blocked the event loop", () => {
  const record: RunRecord = {
    runId: "r1",
    query: "q",
    to: "busy",
    startedAt: 0,
    durationMs: 3_005,
    stopReason: "answered",
    unsettled: 0,
    hops: [
      {
        ...{ id: 1, to: "busy", depth: 0, via: "entry", query: "q", attempt: 1 },
        ...{ startMs: 0, durationMs: 3_005, outcome: "answer", blockedMs: 3_000 },
      },
    ],
  };

  expect(printTree(record)).toBe(
    "busy  3005 ms  answer, blocked the event loop for 3.0 s\nanswered in 3005 ms, 1 hop",
  );
});
