import type { HealthReport, Router } from "@constellation/core";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import type { Service } from "../service.js";
import { createPlaces } from "./places.js";

/** Adds `GET /librarians`, `/healthz` and `/readyz`. */
export function addMeshRoutes(
  app: FastifyInstance,
  { router, runs, work, settings }: Service,
): void {
  const health = createMeshHealth(router);

  app.get("/librarians", { config: { endpoint: "librarians" } }, async ({ user }) => {
    const report = await health();
    const { ok, problems } = router.check({ user });
    const visible = router.list({ user });
    const { hidden } = createLibrarianFilter(router, user);
    const placesOf = createPlaces(settings.presence);
    return {
      librarians: visible.map((librarian) => ({
        ...librarian,
        health: report[librarian.id] ?? unknown,
        ...placesOf(librarian.id),
      })),
      delegations: runs
        .delegations()
        .filter(({ from, to }) => !hidden.has(from) && !hidden.has(to)),
      check: { ok, problems },
      ...(settings.traceUrl !== undefined && { traceUrl: settings.traceUrl }),
      ...(settings.journal !== undefined && { hasJournal: true }),
    };
  });

  app.get(
    "/healthz",
    { exposeHeadRoute: true, config: { endpoint: "healthz", isUncounted: true, isHealth: true } },
    () => ({ status: "ok" }),
  );

  app.get(
    "/readyz",
    { exposeHeadRoute: true, config: { endpoint: "readyz", isUncounted: true, isHealth: true } },
    async (_request, reply) => {
      const report = await health();
      const librarians = countHealth(report);
      const status = work.isDraining ? "closing" : isReady(report) ? "ready" : "not-ready";
      return reply.code(status === "ready" ? 200 : 503).send({ status, librarians });
    },
  );
}

/** How long a report is reused, in milliseconds: many probes cost the librarians one check. */
const reuseMs = 2_000;

/** Checks the health of a router's librarians, once for all requests at the same time. */
function createMeshHealth(router: Pick<Router, "health">): () => Promise<HealthReport> {
  let report: Promise<HealthReport> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (report === undefined || now - checkedAt > reuseMs) {
      checkedAt = now;
      report = router.health({ timeoutMs: 1_000 });
    }
    return report;
  };
}

const unknown = { status: "unknown" } as const;

type Counts = Record<HealthReport[string]["status"], number>;

function countHealth(report: HealthReport): Counts {
  const counts: Counts = { up: 0, degraded: 0, down: 0, unknown: 0 };
  for (const { status } of Object.values(report)) counts[status]++;
  return counts;
}

/** Ready: every librarian with a `start` has started, and at least one is not down. */
function isReady(report: HealthReport): boolean {
  const all = Object.values(report);
  return (
    all.every(({ hasNotStarted }) => hasNotStarted !== true) &&
    all.some(({ status }) => status !== "down")
  );
}
