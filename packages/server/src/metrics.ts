import type { Router } from "@constellation/core";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Metrics of a router and its server, in the Prometheus format. */
export interface Metrics {
  /** Counts a request that ended. */
  request(route: string, method: string, status: number): void;
  /** Counts a rejection that no one handled. */
  rejection(librarian: string | undefined): void;
  /**
   * The text of `/metrics`, and its content type.
   *
   * @param hidden - Ids of librarians that are left out.
   */
  print(
    hidden: ReadonlySet<string>,
  ): Promise<{ readonly text: string; readonly contentType: string }>;
  /** Unsubscribes from the router. */
  close(): void;
}

/** Maximum number of librarians with their own label; the rest are `other`. */
const maxLabels = 200;
const otherLibrarian = "other";

/** In seconds: from a cached answer to a slow model. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Subscribes to a router. Labels have a bounded number of values, whatever callers send. */
export function createMetrics(
  router: Pick<Router, "on" | "list">,
  inFlight: { readonly runs: () => number; readonly requests: () => number },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: "constellation_runs_total",
    help: "Runs that ended, by stop reason.",
    labelNames: ["stop_reason"],
    registers,
  });
  const runSeconds = new Histogram({
    name: "constellation_run_duration_seconds",
    help: "Time of a run.",
    buckets,
    registers,
  });
  const hops = new Counter({
    name: "constellation_hops_total",
    help: "Hops that ended, by librarian and outcome.",
    labelNames: ["librarian", "outcome"],
    registers,
  });
  const hopSeconds = new Histogram({
    name: "constellation_hop_duration_seconds",
    help: "Time of a hop, by librarian.",
    labelNames: ["librarian"],
    buckets,
    registers,
  });
  const abandoned = new Counter({
    name: "constellation_hops_abandoned_total",
    help: "Hops that ignored a cancellation.",
    labelNames: ["librarian"],
    registers,
  });
  const blocked = new Counter({
    name: "constellation_event_loop_blocked_seconds_total",
    help: "Time for which librarians blocked the event loop, 0.2 s or more at once.",
    labelNames: ["librarian"],
    registers,
  });
  const rejections = new Counter({
    name: "constellation_unhandled_rejections_total",
    help: "Promise rejections that no one handled, by librarian where it is known.",
    labelNames: ["librarian"],
    registers,
  });
  const tokens = new Counter({
    name: "constellation_tokens_total",
    help: "Tokens of models, by librarian and direction.",
    labelNames: ["librarian", "direction"],
    registers,
  });
  const cost = new Counter({
    name: "constellation_cost_usd_total",
    help: "US dollars spent on models whose prices are known, by librarian.",
    labelNames: ["librarian"],
    registers,
  });
  const requests = new Counter({
    name: "constellation_http_requests_total",
    help: "Requests, by route, method and status.",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge("constellation_runs_in_flight", "Runs without a response yet.", inFlight.runs);
  gauge("constellation_requests_in_flight", "Requests in progress.", inFlight.requests);

  const labelled = new Set<string>();
  /** Only registered librarians get a label, because a caller may send any name. */
  function boundedLabel(id: string): string {
    if (labelled.has(id)) return id;
    if (labelled.size >= maxLabels || !router.list().some((each) => each.id === id)) {
      return otherLibrarian;
    }
    labelled.add(id);
    return id;
  }

  const off = [
    router.on("run:end", ({ stopReason, durationMs }) => {
      runs.inc({ stop_reason: stopReason });
      runSeconds.observe(durationMs / 1_000);
    }),
    router.on("hop:end", ({ to, outcome, durationMs, blockedMs }) => {
      const librarian = boundedLabel(to);
      hops.inc({ librarian, outcome });
      hopSeconds.observe({ librarian }, durationMs / 1_000);
      if (blockedMs !== undefined) blocked.inc({ librarian }, blockedMs / 1_000);
    }),
    router.on("model:end", ({ to, usage }) => {
      if (usage === undefined) return;
      const librarian = boundedLabel(to);
      tokens.inc({ librarian, direction: "input" }, usage.inputTokens);
      tokens.inc({ librarian, direction: "output" }, usage.outputTokens);
      if (usage.costUsd !== undefined) cost.inc({ librarian }, usage.costUsd);
    }),
    router.on("hop:refused", ({ to }) => {
      hops.inc({ librarian: boundedLabel(to), outcome: "refused" });
    }),
    router.on("hop:abandoned", ({ to }) => {
      abandoned.inc({ librarian: boundedLabel(to) });
    }),
  ];

  return {
    rejection(librarian) {
      rejections.inc({
        librarian: librarian === undefined ? otherLibrarian : boundedLabel(librarian),
      });
    },
    request(route, method, status) {
      requests.inc({ route, method, status: String(status) });
    },
    async print(hidden) {
      const text = await registry.metrics();
      const isShown = (line: string) =>
        !hidden.has(/[{,]librarian="([^"]*)"/.exec(line)?.[1] ?? "");
      return {
        text: hidden.size === 0 ? text : text.split("\n").filter(isShown).join("\n"),
        contentType: registry.contentType,
      };
    },
    close() {
      for (const stop of off) stop();
      registry.clear();
    },
  };
}

/** Adds `GET /metrics`: for librarians that the reader may ask. */
export function addMetricsRoutes(
  app: FastifyInstance,
  { router, metrics }: { readonly router: Router; readonly metrics: Metrics },
): void {
  app.get(
    "/metrics",
    { config: { endpoint: "metrics", isUncounted: true } },
    async ({ user }, reply) => {
      const { hidden } = createLibrarianFilter(router, user);
      const { text, contentType } = await metrics.print(hidden);
      return reply.type(contentType).send(text);
    },
  );
}
