import { setImmediate, setTimeout as wait } from "node:timers/promises";
import {
  type Context,
  createRouter,
  type Librarian,
  type Router,
  type TraceContext,
} from "@constellation/core";
import { context as contexts, createContextKey, trace } from "@opentelemetry/api";
import pLimit from "p-limit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemorySpans, keepSpans } from "../../test/in-memory-spans.js";

const caller: TraceContext = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  traceFlags: 1,
  traceState: "vendor=value,other=1",
};

const tracerOfLibrary = () => trace.getTracer("a library");
const openOwnSpan = (name = "own") => tracerOfLibrary().startSpan(name).end();

function routerWith(librarian: Librarian): Router {
  const router = createRouter();
  router.register({ id: "docs", description: "reads", librarian });
  return router;
}

describe("where spans stand", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    spans = keepSpans();
  });
  afterEach(async () => {
    await spans.close();
  });

  it("CORE-020 puts the run below the trace the caller gives", async () => {
    await routerWith(async () => ({ answer: "ok" })).ask("how?", { trace: caller });

    const run = spans.named("invoke_workflow constellation");
    expect(run).toMatchObject({ traceId: caller.traceId, parentSpanId: caller.spanId });
    expect(new Set(spans.finished().map(({ traceId }) => traceId))).toEqual(
      new Set([caller.traceId]),
    );
  });

  it("CORE-013 gives each librarian the place of its own hop in that trace", async () => {
    const seen: (TraceContext | undefined)[] = [];
    const router = createRouter({ entry: "desk" });
    router.register({
      id: "desk",
      description: "delegates",
      librarian: async (_query, context) => {
        seen.push(context?.trace);
        return { delegate: { to: "docs" } };
      },
    });
    router.register({
      id: "docs",
      description: "reads",
      librarian: async (_query, context) => {
        seen.push(context?.trace);
        return { answer: "ok" };
      },
    });

    await router.ask("how?", { trace: caller });

    expect(seen).toEqual(
      ["desk", "docs"].map((id) => ({
        traceId: caller.traceId,
        spanId: spans.named(`invoke_agent ${id}`).spanId,
        traceFlags: 1,
        traceState: caller.traceState,
      })),
    );
  });

  it("carries the caller's tracestate on every span", async () => {
    await routerWith(async () => ({ answer: "ok" })).ask("how?", { trace: caller });

    for (const span of spans.readable()) {
      expect(span.spanContext().traceState?.serialize()).toBe(caller.traceState);
    }
  });

  it("keeps what else is in the caller's context, baggage for one", async () => {
    const key = createContextKey("tenant");
    let seen: unknown;
    const router = routerWith(async () => {
      seen = contexts.active().getValue(key);
      return { answer: "ok" };
    });

    await contexts.with(contexts.active().setValue(key, "acme"), () =>
      router.ask("how?", { trace: caller }),
    );

    expect(seen).toBe("acme");
  });

  it("puts the run below the active span where the caller gives no trace", async () => {
    const router = routerWith(async () => ({ answer: "ok" }));

    await tracerOfLibrary().startActiveSpan("GET /ask", async (request) => {
      await router.ask("how?");
      request.end();
    });

    const request = spans.named("GET /ask");
    expect(spans.named("invoke_workflow constellation")).toMatchObject({
      traceId: request.traceId,
      parentSpanId: request.spanId,
    });
  });

  it("records nothing below a caller that is not sampled, and still gives librarians the trace", async () => {
    let seen: TraceContext | undefined;
    const router = routerWith(async (_query, context) => {
      seen = context?.trace;
      openOwnSpan();
      return { answer: "ok" };
    });

    const response = await router.ask("how?", { trace: { ...caller, traceFlags: 0 } });

    expect(response.answer).toBe("ok");
    expect(spans.finished()).toEqual([]);
    expect(seen).toMatchObject({ traceId: caller.traceId, traceFlags: 0 });
  });

  it.each<[string, (context?: Context) => Promise<void>]>([
    ["at once", async () => openOwnSpan()],
    [
      "after an await",
      async () => {
        await setImmediate();
        openOwnSpan();
      },
    ],
    [
      "in a timer",
      () =>
        new Promise((resolve) => {
          setTimeout(() => {
            openOwnSpan();
            resolve();
          }, 1);
        }),
    ],
    [
      "in an async generator",
      async () => {
        async function* pages() {
          yield await wait(1, 1);
          openOwnSpan();
          yield 2;
        }
        for await (const _page of pages()) await setImmediate();
      },
    ],
    [
      "in a pool of p-limit",
      async () => {
        const limit = pLimit(1);
        await Promise.all([
          limit(() => wait(1)),
          limit(() => wait(1)),
          limit(async () => openOwnSpan()),
        ]);
      },
    ],
    [
      "after context.ask",
      async (context) => {
        await context?.ask?.("and?", { to: "facts" });
        openOwnSpan();
      },
    ],
  ])("puts a span that a librarian opens %s below its hop", async (_when, work) => {
    const router = createRouter({ entry: "docs" });
    router.register({
      id: "docs",
      description: "reads",
      librarian: async (_query, context) => {
        await work(context);
        return { answer: "ok" };
      },
    });
    router.register({
      id: "facts",
      description: "knows",
      librarian: async () => ({ answer: "x" }),
    });

    await router.ask("how?");

    expect(spans.named("own").parentSpanId).toBe(spans.named("invoke_agent docs").spanId);
  });

  it("keeps them apart where two librarians share one pool, asked for by many runs at once", async () => {
    const pool = pLimit(1);
    const shares =
      (name: string): Librarian =>
      (_query, context) =>
        pool(async () => {
          await setImmediate();
          openOwnSpan(`own of ${name} ${context?.trace?.spanId}`);
          return { answer: "ok" };
        });
    const router = createRouter({ entry: "desk" });
    router.register({
      id: "desk",
      description: "fans out",
      librarian: async () => ({ delegate: [{ to: "a" }, { to: "b" }] }),
    });
    router.register({ id: "a", description: "a", librarian: shares("a") });
    router.register({ id: "b", description: "b", librarian: shares("b") });

    await Promise.all(Array.from({ length: 5 }, () => router.ask("how?")));

    const own = spans.finished().filter(({ name }) => name.startsWith("own of"));
    expect(own).toHaveLength(10);
    for (const span of own) expect(span.name.split(" ").at(-1)).toBe(span.parentSpanId);
  });

  it("leaves the caller's active span as it was", async () => {
    const router = routerWith(async () => ({ answer: "ok" }));

    await tracerOfLibrary().startActiveSpan("GET /ask", async (request) => {
      await router.ask("how?");
      openOwnSpan("after");
      request.end();
    });

    expect(spans.named("after").parentSpanId).toBe(spans.named("GET /ask").spanId);
  });
});
