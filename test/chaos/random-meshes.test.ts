import { getEventListeners } from "node:events";
import { createRouter, type MeshEvent, validateResponse } from "@constellation/core";
import { responseSchema } from "@constellation/core/schemas";
import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  definitionsOf,
  greedyModel,
  mayHang,
  type Scenario,
  scenario,
  type Witness,
} from "./random-mesh.js";
import { installVirtualClock, type VirtualClock } from "./virtual-clock.js";

const runs = Number(process.env.CONSTELLATION_CHAOS_RUNS ?? 10_000);

describe("a router over random meshes with failures, cycles, delays and cancels", () => {
  const spans: ReadableSpan[] = [];
  let clock: VirtualClock;

  beforeAll(() => {
    clock = installVirtualClock();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [collector(spans)] }));
  });
  afterAll(() => {
    clock.uninstall();
    trace.disable();
  });

  it("ends every run in time, within its budget, with a valid response, and leaves nothing behind", {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (each) => {
        spans.length = 0;
        await play(each, clock, spans);
      }),
      { numRuns: runs, seed: 20_261_121, endOnFailure: false },
    );
  });
});

async function play(
  each: Scenario,
  clock: VirtualClock,
  spans: readonly ReadableSpan[],
): Promise<void> {
  const witness: Witness = { calls: 0, tokens: 0, timers: 0 };
  const router = createRouter({ ...each.router, ai: greedyModel(witness) });
  for (const definition of definitionsOf(each, witness)) router.register(definition);
  const caller = new AbortController();
  const heard: MeshEvent["type"][] = [];
  router.on("run:end", ({ type }) => {
    heard.push(type);
  });

  await clock.run(() => false); // whatever a run that failed has left
  const startedAt = clock.now();
  const run = router.start("why?", { to: "l0", ...each.ask, signal: caller.signal });
  const cancel = each.cancelAfterMs;
  if (cancel !== undefined) setTimeout(() => caller.abort(), cancel);
  let endedAt: number | undefined;
  const ended = run.response.then((response) => {
    endedAt = clock.now();
    return response;
  });
  const deadline = startedAt + (each.router.timeoutMs ?? Infinity);
  await clock.run(() => endedAt !== undefined, deadline + 50);

  // It ended, in time.
  expect(endedAt, "the run ended before its deadline plus 50 ms").toBeDefined();
  if (cancel !== undefined) expect(endedAt).toBeLessThanOrEqual(startedAt + cancel + 1);

  // With a valid response.
  const response = await ended;
  expect(validateResponse(response)).toMatchObject({ valid: true });
  expect(responseSchema.safeParse(response)).toMatchObject({ success: true });
  expect(response.delegate).toBeUndefined();
  expect(JSON.stringify(response)).not.toContain("secret");

  // It has given its timer back; what is left are the librarians' and the caller's own.
  const callersOwn = cancel === undefined || caller.signal.aborted ? 0 : 1;
  expect(clock.pending).toBe(witness.timers + callersOwn);

  // Within its budget.
  const callsAtEnd = witness.calls;
  expect(callsAtEnd).toBeLessThanOrEqual(each.router.maxHops ?? Infinity);

  // What librarians do later changes nothing.
  await clock.run(() => false);
  expect(witness.calls).toBe(callsAtEnd);
  expect(witness.tokens).toBeLessThanOrEqual(each.ask.budget?.tokens ?? Infinity);
  expect(clock.pending).toBe(0);
  expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  expect(heard).toEqual(["run:end"]);

  // The events, the record and the spans tell the same story.
  const events: MeshEvent[] = [];
  for await (const event of run.events) events.push(event);
  expect(events[0]?.type).toBe("run:start");
  const record = run.explain();
  const started = events.filter(({ type }) => type === "hop:start");
  const over = events.filter(({ type }) => type === "hop:end");
  const refused = events.filter(({ type }) => type === "hop:refused");
  expect(started).toHaveLength(callsAtEnd);
  expect(over).toHaveLength(started.length);
  expect(record.hops).toHaveLength(started.length + refused.length);
  if (!mayHang(each)) expect(record.unsettled).toBe(0);
  expectAsksToEndWithTheirAsker(events);
  expect(spanTree(spans)).toEqual(
    record.hops.map(({ id, to, parentId, outcome }) => ({ id, to, parentId, outcome })),
  );
}

/** Keeps spans as they end, and takes no timer for it. */
function collector(spans: ReadableSpan[]): SpanProcessor {
  return {
    onStart() {},
    onEnd(span) {
      spans.push(span);
    },
    shutdown: async () => {},
    forceFlush: async () => {},
  };
}

/** Nobody works on for a librarian that is done. */
function expectAsksToEndWithTheirAsker(events: readonly MeshEvent[]): void {
  const endOf = new Map<number, number>(
    events.flatMap((each) => (each.type === "hop:end" ? [[each.hopId, each.at]] : [])),
  );
  for (const each of events) {
    if (each.type !== "hop:start" || each.via !== "ask") continue;
    expect(endOf.get(each.hopId)).toBeLessThanOrEqual(endOf.get(each.parentId ?? 0) ?? 0);
  }
}

/** The hops of one run, as its spans tell them, in the order they began. */
function spanTree(spans: readonly ReadableSpan[]): readonly object[] {
  const idOf = new Map(
    spans.map((span) => [span.spanContext().spanId, span.attributes["librarian.hop.id"]]),
  );
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  return spans
    .filter(({ name }) => name.startsWith("invoke_agent "))
    .map((span) => ({
      id: span.attributes["librarian.hop.id"] as number,
      to: span.attributes["librarian.id"],
      parentId: idOf.get(span.parentSpanContext?.spanId ?? ""),
      outcome: span.attributes["librarian.response.kind"],
    }))
    .sort((a, b) => a.id - b.id);
}
