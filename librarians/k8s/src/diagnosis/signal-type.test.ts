import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeSignal, explains, getCausalDepth, hasTrait, signalTypes } from "./signal-type.js";

describe("the table of signals", () => {
  it("has a row for each type, and names no other", () => {
    const { signals, shortage } = JSON.parse(
      readFileSync(new URL("../../data/signals.json", import.meta.url), "utf8"),
    );
    const rows: readonly { name: string; explains?: string[] }[] = signals;
    const named = [...shortage, ...rows.flatMap(({ explains: some = [] }) => some)];

    expect(rows.map(({ name }) => name)).toEqual([...signalTypes]);
    expect(named.filter((name) => name !== "shortage" && !signalTypes.includes(name))).toEqual([]);
  });

  it("says what explains what, and which cause comes first", () => {
    expect(explains("NodeNotReady", "ServiceNoEndpoints")).toBe(true);
    expect(explains("ServiceNoEndpoints", "NodeNotReady")).toBe(false);
    expect(getCausalDepth("NodeNotReady")).toBeLessThan(getCausalDepth("CrashLoopBackOff"));
    expect(describeSignal("OOMKilled")).toBe("runs out of memory");
    expect(hasTrait("JobSuspended", "onPurpose")).toBe(true);
  });
});
