import { describe, expect, it } from "vitest";
import { assess } from "./assess.js";
import type { Signal } from "./signal.js";

const minute = 60_000;
const window = { baselineStart: 0, start: 60 * minute, end: 75 * minute };
const latency: Signal = { aspect: "latency", title: "Latency", unit: "seconds", query: "q" };
const traffic: Signal = { aspect: "traffic", title: "Requests", unit: "per-second", query: "q" };
const memory: Signal = { aspect: "saturation", title: "Memory", unit: "share", query: "q" };

/** A value a minute; `undefined` leaves a gap. */
function samples(valueAt: (minute: number) => number | undefined) {
  return Array.from({ length: 76 }, (_, at) => ({
    at: at * minute,
    value: valueAt(at) ?? Number.NaN,
  }));
}

function assessed(signal: Signal, valueAt: (minute: number) => number | undefined) {
  return assess(signal, samples(valueAt), window, minute);
}

describe("a signal against the time before", () => {
  it("is usual within its noise", () => {
    const result = assessed(latency, (at) => 0.2 + 0.02 * Math.sin(at));

    expect(result).toMatchObject({
      change: "usual",
      isAbnormal: false,
      since: undefined,
      coverage: 1,
    });
  });

  it("is up, since when it left its usual band", () => {
    const result = assessed(latency, (at) => (at < 50 ? 0.2 : 1.5));

    expect(result).toMatchObject({ change: "up", isAbnormal: true, since: 50 * minute });
    expect(result?.baseline).toBeCloseTo(0.2);
    expect(result?.current).toBeCloseTo(1.5);
  });

  it("is not a fault when it falls, except traffic that is lost", () => {
    expect(assessed(latency, (at) => (at < 60 ? 2 : 0.1))).toMatchObject({
      change: "down",
      isAbnormal: false,
    });
    expect(assessed(traffic, (at) => (at < 60 ? 40 : 3))).toMatchObject({
      change: "down",
      isAbnormal: true,
    });
    expect(assessed(traffic, (at) => (at < 60 ? 40 : 28))).toMatchObject({ isAbnormal: false });
  });

  it("is not moved by a single spike before", () => {
    expect(assessed(latency, (at) => (at === 30 ? 90 : 0.2))).toMatchObject({ change: "usual" });
  });

  it("is abnormal close to a limit, though it did not change", () => {
    expect(assessed(memory, () => 0.95)).toMatchObject({ change: "usual", isAbnormal: true });
  });

  it("is unknown without data from before", () => {
    const result = assessed(latency, (at) => (at < 60 ? undefined : 3));

    expect(result).toMatchObject({ change: "unknown", baseline: undefined, isAbnormal: false });
  });

  it("counts the samples that are missing in the window", () => {
    expect(assessed(latency, (at) => (at > 67 ? undefined : 0.2))?.coverage).toBe(0.5);
  });

  it("is not measured without a finite value in the window", () => {
    expect(assessed(latency, (at) => (at < 60 ? 0.2 : undefined))).toBeUndefined();
  });
});
