import type { HealthReport, Router } from "@constellation/core";

/** How long a report is reused, in milliseconds: many probes cost the librarians one check. */
const reuseMs = 2_000;

/** Checks the health of a router's librarians, once for all requests at the same time. */
export function createMeshHealth(router: Pick<Router, "health">): () => Promise<HealthReport> {
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
