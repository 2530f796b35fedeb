import type { HealthReport, Router } from "@constellation/core";

/** How long a report is good for, in milliseconds: many watchers cost the librarians one check. */
const goodForMs = 2_000;

/** Asks a router how its librarians are: once for all who want to know at the same time. */
export function createMeshHealth(router: Pick<Router, "health">): () => Promise<HealthReport> {
  let report: Promise<HealthReport> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (report === undefined || now - askedAt > goodForMs) {
      askedAt = now;
      report = router.health({ timeoutMs: 1_000 });
    }
    return report;
  };
}
