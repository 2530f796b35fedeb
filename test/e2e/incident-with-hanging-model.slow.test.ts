import { describe, expect, it } from "vitest";
import { askWith, expectWithoutModel, modelOf } from "./incident-run.js";

/** A model that never answers. */
const hangs = { afterMs: Number.POSITIVE_INFINITY };

/** So that what is left without the model is enough on a machine that may be busy. */
const timeoutMs = 24_000;

describe("the incident mesh and a model that hangs, in real time", () => {
  it("answers before its time is over when the model hangs, and everybody has a share of it", async () => {
    const { response, record, asked } = await askWith({ step: () => hangs, timeoutMs });

    expectWithoutModel(response);
    expect(record.durationMs).toBeLessThan(timeoutMs);
    expect(modelOf(response, "k8s")).toEqual({ outcome: "not-used", reason: "TIMEOUT" });
    expect(modelOf(response, "workflow-selector")).toMatchObject({ reason: "TIMEOUT" });
    expect(asked.toSorted()).toEqual([
      "cluster-summary",
      "navigator",
      "root-cause",
      "triage-analysis",
    ]);
  });

  it.each([
    ["cluster-summary", "k8s"],
    ["selection", "workflow-selector"],
  ] as const)("continues without the %s that is late", async (kind, librarian) => {
    const { response, record } = await askWith({
      answers: { [kind]: () => hangs },
      timeoutMs,
    });

    expect(response.error).toBeUndefined();
    expect(response.answer).toContain("**increase-memory-limits 1.2.0** is proposed");
    expect(modelOf(response, librarian)).toMatchObject({ reason: "TIMEOUT" });
    expect(record.durationMs).toBeLessThan(timeoutMs);
  });
});
