import type { Librarian } from "@constellation/core";
import { beforeAll, expect, it } from "vitest";
import { createMetricsLibrarian, type MetricsReader } from "../src/index.js";

/** What must hold on a real server and on its recording. */
export function answersRight(open: () => Promise<MetricsReader>): void {
  let librarian: Librarian;
  beforeAll(async () => {
    ({ librarian } = createMetricsLibrarian({ reader: await open() }));
  });

  it("says that checkout is slow, by how much and since when, with its query", async () => {
    const { answer, confidence, sources, metadata } = await librarian("Is checkout slow?", {});

    expect(answer).toMatch(
      /^\*\*Yes: checkout takes 3\.\d s \(95th percentile\) since 08:0\d UTC \(2\d\d ms before\)\.\*\*/,
    );
    expect(answer).toContain(
      "histogram_quantile(0.95, sum by (le) (rate(http_server_request_duration_seconds_bucket",
    );
    expect(answer).toMatch(/[▁▂▃▄▅▆▇█]{10}/);
    expect(confidence).toBeGreaterThan(0.8);
    expect(sources?.[0]?.name).toContain("histogram_quantile");
    expect(metadata?.facts).toEqual([
      expect.objectContaining({
        signal_type: "HighLatency",
        resource_name: "checkout",
        unit: "seconds",
        value: expect.closeTo(3.9, 0),
        baseline: expect.closeTo(0.24, 1),
        query: expect.stringContaining("histogram_quantile"),
        time: expect.stringMatching(/^2026-11-20T09:/),
        first_seen: expect.stringMatching(/^2026-11-20T08:0\d/),
      }),
    ]);
  });

  it("gives all golden signals of a workload, those that changed first", async () => {
    const { answer, partial, metadata } = await librarian("How is checkout?", {});

    expect(answer).toMatch(
      /^\*\*checkout fails 18 % of requests since 08:0\d UTC \(0\.2 % before\) and takes 3\.\d s \(95th percentile\); 3 more changed\.\*\*/,
    );
    for (const title of [
      "Requests",
      "Error rate",
      "Latency",
      "Memory, share of the limit",
      "CPU",
      "Restarts",
    ]) {
      expect(answer).toContain(`| ${title}`);
    }
    expect(partial).toBeUndefined();
    expect(metadata?.facts).toContainEqual(
      expect.objectContaining({
        signal_type: "HighSaturation",
        measurement: "Memory, share of the limit",
      }),
    );
  });

  it("calls a workload that is well as it was before, and not abnormal", async () => {
    const { answer, metadata } = await librarian("How is cart?", {});

    expect(answer).toMatch(
      /^\*\*cart fails 0\.\d % of requests and takes 2\d\d ms \(95th percentile\), as in the 6 hours before\.\*\*/,
    );
    const types = [metadata?.facts].flat().map((fact) => Reflect.get(Object(fact), "signal_type"));
    expect(new Set(types)).toEqual(new Set(["Measured"]));
  });

  it("answers about every workload that is named, the first sentences first", async () => {
    const { answer = "", metadata } = await librarian(
      "What is the error rate of checkout and of cart?",
      {},
    );
    const [first = "", second = ""] = answer.split("\n\n");

    expect(first).toMatch(/^\*\*checkout fails 18 % of requests/);
    expect(second).toMatch(/^\*\*cart fails 0\.\d % of requests, as in the 6 hours before/);
    expect(metadata?.facts).toHaveLength(2);
  });

  it.each([
    ["Is checkout ok?", /^\*\*No: checkout fails/],
    ["Is cart ok?", /^\*\*Yes: cart /],
    ["Is cart slow?", /^\*\*No: cart takes/],
  ])("answers %j with yes or no first, in at most 25 words", async (question, expected) => {
    const { answer = "" } = await librarian(question, {});
    const [first = ""] = answer.split("\n");

    expect(first).toMatch(expected);
    expect(first.split(/\s+/).length).toBeLessThanOrEqual(25);
  });

  it("compares the time of an incident with the hour before it", async () => {
    const { answer } = await librarian("How are the golden signals of checkout at 08:05?", {});

    expect(answer).toMatch(/\| Signal \| 08:05–08:20 UTC \|/);
    expect(answer).toMatch(/\| Error rate \| 1\d(\.\d)? % \| 0\.2 % \|/);
  });

  it("lists alerts, the most severe first, and those about a workload", async () => {
    const all = await librarian("Which alerts fire?", {});
    const one = await librarian("Does an alert fire for checkout?", {});

    expect(all.answer).toMatch(
      /^\*\*1 alert firing, 1 pending\.\*\*\n\n- \*\*CheckoutErrorRateHigh\*\* \(firing, critical\)/,
    );
    expect(all.answer).toContain("**BackupLate** (pending, warning)");
    expect(one.answer).toMatch(/^\*\*1 alert about checkout firing\.\*\*/);
    expect(one.answer).not.toContain("BackupLate");
  });

  it("lists targets that are down, with the reason", async () => {
    const { answer } = await librarian("Which targets are down?", {});

    expect(answer).toMatch(
      /^\*\*1 of 2 targets are up, 1 down\.\*\*\n\n- closed at .*connection refused/,
    );
  });

  it("answers PromQL as it is", async () => {
    const { answer } = await librarian(
      "`sum by (app) (rate(http_server_request_duration_seconds_count[5m]))`",
      {},
    );

    expect(answer).toMatch(/5 series, 03:26 to 09:41 UTC/);
    expect(answer).toMatch(/\| app=checkout \| 25 \| 09:\d\d \|/);
  });

  it("does not know a workload without series, and names some that it knows", async () => {
    const { answer, error } = await librarian("How is loyalty?", {});

    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "out-of-domain" } });
    expect(error?.suggestion).toMatch(/cart, catalog, checkout, payments, storefront/);
  });
}
