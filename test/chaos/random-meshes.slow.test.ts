import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { responseSchema } from "@constellation/authoring/schemas";
import { createRouter, type MeshEvent, validateResponse } from "@constellation/core";
import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  definitionsOf,
  greedyModel,
  mayHang,
  type Scenario,
  scenario,
  type Witness,
} from "./random-mesh.js";
import { installVirtualClock, type VirtualClock } from "./virtual-clock.js";

const runs = Number(process.env.CONSTELLATION_CHAOS_RUNS ?? 5_000);

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
  const observed: MeshEvent["type"][] = [];
  router.on("run:end", ({ type }) => {
    observed.push(type);
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

  // It ended, in time. `assert` costs a tenth of `expect`, thousands of times.
  assert(endedAt !== undefined, "the run did not end before its deadline plus 50 ms");
  if (cancel !== undefined) {
    assert(endedAt <= startedAt + cancel + 1, "the run ended late after its cancel");
  }

  // With a valid response.
  const response = await ended;
  const validated = validateResponse(response);
  assert(validated.valid, JSON.stringify(validated));
  const parsed = responseSchema.safeParse(response);
  assert(parsed.success, String(parsed.error));
  assert.equal(response.delegate, undefined);
  assert(!JSON.stringify(response).includes("secret"), "the response holds a secret");

  // It has released its timer; those left are the librarians' and the caller's own.
  const callersOwn = cancel === undefined || caller.signal.aborted ? 0 : 1;
  assert.equal(clock.pending, witness.timers + callersOwn, "timers pending at the end");

  // Within its budget.
  const callsAtEnd = witness.calls;
  assert(callsAtEnd <= (each.router.maxHops ?? Infinity), `${callsAtEnd} calls`);

  // What librarians do later changes nothing.
  await clock.run(() => false);
  assert.equal(witness.calls, callsAtEnd, "calls after the end");
  assert(witness.tokens <= (each.ask.budget?.tokens ?? Infinity), `${witness.tokens} tokens`);
  assert.equal(clock.pending, 0, "timers pending after all has stopped");
  assert.equal(getEventListeners(caller.signal, "abort").length, 0, "listeners left");
  assert.deepEqual(observed, ["run:end"]);

  // The events, the record and the spans agree.
  const events: MeshEvent[] = [];
  for await (const event of run.events) events.push(event);
  assert.equal(events[0]?.type, "run:start");
  const record = run.explain();
  const started = events.filter(({ type }) => type === "hop:start");
  const over = events.filter(({ type }) => type === "hop:end");
  const refused = events.filter(({ type }) => type === "hop:refused");
  // A librarian is called once for all that ask it the same.
  const called = started.filter((each) => each.type === "hop:start" && each.shared === undefined);
  assert.equal(called.length, callsAtEnd, "hop:start events");
  assert.equal(over.length, started.length, "hop:end events");
  assert.equal(record.hops.length, started.length + refused.length, "hops of the record");
  if (!mayHang(each)) assert.equal(record.unsettled, 0);
  checkAskedHopsEndFirst(events);
  assert.deepEqual(
    spanTree(spans),
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

/** A hop that a librarian asked for ends before that librarian's own hop does. */
function checkAskedHopsEndFirst(events: readonly MeshEvent[]): void {
  const endOf = new Map<number, number>(
    events.flatMap((each) => (each.type === "hop:end" ? [[each.hopId, each.at]] : [])),
  );
  for (const each of events) {
    if (each.type !== "hop:start" || each.via !== "ask") continue;
    const end = endOf.get(each.hopId) ?? Infinity;
    assert(end <= (endOf.get(each.parentId ?? 0) ?? 0), `hop ${each.hopId} outlives its caller`);
  }
}

/** The hops of one run, read from its spans, in the order they began. */
function spanTree(spans: readonly ReadableSpan[]): readonly object[] {
  const idOf = new Map(
    spans.map((span) => [span.spanContext().spanId, span.attributes["librarian.hop.id"]]),
  );
  assert.equal(new Set(spans.map((span) => span.spanContext().traceId)).size, 1, "traces");
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
