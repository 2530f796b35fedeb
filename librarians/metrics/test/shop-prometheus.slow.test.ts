import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetricsLibrarian, createPrometheusReader } from "../src/index.js";
import { hasPrometheus, type PrometheusServer, startPrometheus } from "./prometheus-server.js";
import { shopMetrics, shopNow } from "./shop-metrics.js";
import { answersRight } from "./shop-suite.js";

const installed = hasPrometheus();
if (!installed) {
  console.warn(
    "SKIPPED: the metrics librarian on a real Prometheus. Install prometheus and promtool (Debian: apt-get install prometheus) to have it tested.",
  );
}

describe.skipIf(!installed)("the shop, on a real Prometheus", () => {
  let server: PrometheusServer;
  beforeAll(async () => {
    server = await startPrometheus(shopMetrics());
  });
  afterAll(() => server?.close());

  answersRight(async () => ({
    ...createPrometheusReader({ url: server.url }),
    now: () => shopNow,
  }));

  it("says what the server says of a query that it refuses", async () => {
    const { librarian } = createMetricsLibrarian({ url: server.url });

    const { error } = await librarian("`rate(up)`", {});

    expect(error?.code).toBe("DATA_SOURCE_ERROR");
    expect(error?.message).toMatch(/refused the query: .*expected type range vector/);
  });
});
