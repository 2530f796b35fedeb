import { stripVTControlCharacters } from "node:util";
import type { MeshEvent } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openLiveHops } from "./live-hops.js";
import { unpainted } from "./paint.js";

const place = { runId: "r", query: "q", via: "delegate", timeoutMs: 1_000, attempt: 1 } as const;

function started(hopId: number, to: string, parentId?: number): MeshEvent {
  const depth = parentId === undefined ? 0 : 1;
  return { type: "hop:start", ...place, hopId, to, parentId, depth, at: Date.now() };
}

/** A terminal that keeps what is written. */
function terminal(columns: number | undefined, rows?: number) {
  const written: string[] = [];
  return { written, output: { write: (text: string) => written.push(text), columns, rows } };
}

/** Lines of the last drawing. */
const last = (written: readonly string[]) =>
  stripVTControlCharacters(written.at(-1) ?? "")
    .replace("\r", "")
    .split("\n")
    .filter((line) => line !== "");

describe("openLiveHops", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("shows each librarian, its caller, duration and outcome", () => {
    const { written, output } = terminal(100);
    const live = openLiveHops(output, unpainted);

    live.show(started(1, "desk"));
    live.show(started(2, "k8s", 1));
    live.show({
      type: "hop:progress",
      runId: "r",
      hopId: 2,
      to: "k8s",
      at: 0,
      progress: { message: "reading\u001b[2J pods" },
    });
    vi.advanceTimersByTime(1_500);

    expect(last(written)).toEqual([
      expect.stringMatching(/^. desk {5}1\.5 s {2}$/),
      expect.stringMatching(/^. {3}k8s {4}1\.5 s {2}reading pods · asked by desk$/),
    ]);

    live.show({
      type: "hop:end",
      runId: "r",
      hopId: 2,
      to: "k8s",
      at: Date.now(),
      durationMs: 1_500,
      outcome: "answer",
    });
    vi.advanceTimersByTime(1_000);

    expect(last(written)[1]).toMatch(/^✓ {3}k8s {4}1\.5 s {2}answer · asked by desk$/);
    live.close();
  });

  it.each([undefined, 0, 20, 40])(
    "never makes a line wider than a terminal of %s columns",
    (columns) => {
      const { written, output } = terminal(columns);
      const live = openLiveHops(output, unpainted);

      live.show(started(1, "a-librarian-with-a-very-long-name-indeed"));
      live.show(started(2, "another", 1));
      vi.advanceTimersByTime(100);

      for (const line of last(written)) expect(line.length).toBeLessThan(columns || 80);
      live.close();
    },
  );

  it("shows no more lines than the terminal has, those that run first, and counts the rest", () => {
    const { written, output } = terminal(80, 6);
    const live = openLiveHops(output, unpainted);

    for (let hop = 1; hop <= 30; hop++) live.show(started(hop, `hop-${hop}`));
    vi.advanceTimersByTime(100);

    expect(last(written)).toHaveLength(5);
    expect(last(written).at(-1)).toBe("  and 26 more");
    live.close();
  });

  it("shows the end of the text that a librarian streams", () => {
    const { written, output } = terminal(40);
    const live = openLiveHops(output, unpainted);
    live.show(started(1, "docs"));

    for (const text of ["Restart the ", "billing pod, then wait ", "for\nthe queue."]) {
      live.show({
        type: "hop:progress",
        runId: "r",
        hopId: 1,
        to: "docs",
        at: 0,
        progress: { text },
      });
    }
    vi.advanceTimersByTime(100);

    expect(last(written)[0]).toMatch(/^. docs {3}100 ms {2}…n wait for the queue\.$/);
    live.close();
  });

  it("says that it waits for a model, which one, and why that was of no use", () => {
    const { written, output } = terminal(120);
    const live = openLiveHops(output, unpainted);
    const call = {
      runId: "r",
      hopId: 1,
      to: "docs",
      at: 0,
      callId: 1,
      method: "complete",
    } as const;
    live.show(started(1, "docs"));

    live.show({ type: "model:start", ...call, model: "model-1" });
    vi.advanceTimersByTime(100);
    expect(last(written)[0]).toContain("asking the model (model-1)");

    const error = { code: "AI_UNAVAILABLE", message: "It is\u001b[2J down." } as const;
    live.show({ type: "model:end", ...call, durationMs: 5, error, content: { prompt: "" } });
    vi.advanceTimersByTime(100);
    expect(last(written)[0]).toContain(
      "continuing without the model: It is down. [AI_UNAVAILABLE]",
    );
    live.close();
  });

  it("shows the merge of a fan-out at work, and what came of it", () => {
    const { written, output } = terminal(80);
    const live = openLiveHops(output, unpainted);
    const desk = { runId: "r", hopId: 1, to: "desk", at: Date.now() } as const;
    const delegates = ["docs", "k8s"];
    live.show(started(1, "desk"));
    live.show({ type: "hop:end", ...desk, durationMs: 1, outcome: "delegate", delegates });
    vi.advanceTimersByTime(100);
    expect(last(written)[0]).toMatch(/^→ desk +0 ms {2}delegates to docs, k8s$/);

    live.show({ type: "model:start", ...desk, callId: 1, method: "analyze", model: "model-1" });
    vi.advanceTimersByTime(100);
    expect(last(written)[0]).toMatch(/^[^→] desk +200 ms {2}asking the model \(model-1\)$/);

    live.show({ type: "hop:progress", ...desk, progress: { text: "It was killed 4 times." } });
    vi.advanceTimersByTime(100);
    expect(last(written)[0]).toContain("It was killed 4 times.");

    const at = Date.now();
    const strategy = "ai-blend";
    live.show({
      ...desk,
      type: "fanout:end",
      at,
      strategy,
      used: delegates,
      missing: [],
      durationMs: 9,
    });
    vi.advanceTimersByTime(100);
    expect(last(written)[0]).toMatch(/^✓ desk +300 ms {2}ai-blend of 2$/);
    live.close();
  });

  it("takes its lines away and leaves no timer when it is closed", () => {
    const { written, output } = terminal(80);
    const live = openLiveHops(output, unpainted);
    live.show(started(1, "desk"));
    vi.advanceTimersByTime(300);

    live.close();

    expect(written.at(-1)).toBe("\r\u001b[1A\u001b[0J");
    expect(vi.getTimerCount()).toBe(0);
  });
});
