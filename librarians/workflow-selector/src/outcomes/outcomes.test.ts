import { createMemoryStore } from "@constellation/journal";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { analysis, selected, signal, workflows } from "../../test/model.js";
import { vouched } from "../../test/workflows.js";
import { createMemoryCatalog } from "../catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian } from "../workflow-selector.js";
import type { Outcome } from "./outcome.js";
import { createOutcomes } from "./outcomes.js";
import { computePrior } from "./prior.js";

const outcome = (event: Outcome["event"], workflow_id = "oomkill-scale-down"): Outcome => ({
  workflow_id,
  version: "1.0.0",
  event,
  at: "2026-05-04T10:00:00Z",
});
const fact = { signal_type: "OOMKilled", target_resource: "production/Deployment/my-app" };

async function proposedWith(outcomes: readonly Outcome[], ai?: ReturnType<typeof scriptedAI>) {
  const store = createOutcomes(createMemoryStore());
  for (const one of outcomes) await store.record(one);
  const { librarian } = createWorkflowSelectorLibrarian({
    store: createMemoryCatalog(workflows),
    outcomes: store,
  });
  const { answer, confidence = 0 } = await librarian(JSON.stringify(signal), {
    ...vouched({ facts: [fact] }),
    ...(ai && { ai }),
  });
  const [, id = ""] = /^\*\*(\S+) /.exec(answer ?? "") ?? [];
  return { answer, confidence, id };
}

describe("what came of workflows before", () => {
  it("is shown to people, and weighed", async () => {
    const { id, confidence } = await proposedWith([]);
    const good = Array.from({ length: 10 }, () => outcome("succeeded", id));
    const better = await proposedWith(good);

    expect(better.answer).toContain("It ran 10 times before: 10 succeeded, 0 failed.");
    expect(better.confidence).toBeGreaterThan(confidence);
  });

  it("puts what failed behind what fits nearly as well", async () => {
    const { id } = await proposedWith([]);
    const worse = await proposedWith([outcome("failed", id), outcome("failed", id)]);

    expect(worse.id).not.toBe(id);
  });

  it("is never read by a model", async () => {
    const ai = scriptedAI([analysis(), selected]);

    const { answer } = await proposedWith([outcome("succeeded"), outcome("rejected")], ai);

    expect(answer).toContain(
      "It ran once before: 1 succeeded, 0 failed. A person rejected it once.",
    );
    expect(JSON.stringify(ai.calls)).not.toMatch(/succeeded|rejected|ran once/);
  });

  it("changes a confidence by at most 0.05 up and 0.15 down, and by nothing without outcomes", () => {
    expect(computePrior({ succeeded: 0, failed: 0, rejected: 0 })).toBe(0);
    expect(computePrior({ succeeded: 1e6, failed: 0, rejected: 0 })).toBeCloseTo(0.05, 3);
    expect(computePrior({ succeeded: 0, failed: 1e6, rejected: 0 })).toBeCloseTo(-0.15, 3);
    expect(computePrior({ succeeded: 5, failed: 5, rejected: 0 })).toBe(0);
  });

  it("leaves a warning where it cannot be read", async () => {
    const { librarian } = createWorkflowSelectorLibrarian({
      store: createMemoryCatalog(workflows),
      outcomes: { record: async () => {}, read: () => Promise.reject(new Error("secret path")) },
    });
    const { metadata, error } = await librarian(JSON.stringify(signal), {});

    expect(error).toBeUndefined();
    expect(JSON.stringify(metadata)).toContain("earlier runs cannot be read and were not used");
    expect(JSON.stringify(metadata)).not.toContain("secret");
  });
});
