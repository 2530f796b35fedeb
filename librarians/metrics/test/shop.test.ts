import { fileURLToPath } from "node:url";
import { itBehavesLikeALibrarian } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { createMetricsLibrarian, type MetricsReader, openRecording } from "../src/index.js";
import { answersRight } from "./shop-suite.js";

const recording = fileURLToPath(new URL("../sample-data/shop.json", import.meta.url));

describe("the shop, as recorded", () => {
  answersRight(() => openRecording(recording));
});

it("estimates by the names of its series, the first time too", async () => {
  const { canAnswer } = createMetricsLibrarian({ recording });
  const { signal } = new AbortController();
  const probe = (query: string) =>
    canAnswer?.({ query, signal, deadline: Number.POSITIVE_INFINITY });

  expect((await probe("is checkout slow?"))?.coverage).toBe(1);
  expect((await probe("who painted the chapel?"))?.chance).toBeLessThan(0.01);
});

it("changes nothing, and says so", async () => {
  const { librarian } = createMetricsLibrarian({ recording });

  const { error } = await librarian("Delete the series of checkout", {});

  expect(error).toMatchObject({
    code: "INVALID_QUERY",
    message: expect.stringMatching(/only reads/),
  });
});

it("does not take silence for health where no alerting rule is loaded", async () => {
  const reader = {
    ...(await openRecording(recording)),
    alerts: async () => [],
    rules: async () => [],
  };
  const { librarian } = createMetricsLibrarian({ reader });

  const { answer, confidence } = await librarian("Which alerts fire?", {});

  expect(answer).toMatch(/No alert fires\.\*\*\s+No alerting rule is loaded/);
  expect(confidence).toBeLessThan(0.5);
});

it("takes what labels, annotations and errors hold for text", async () => {
  const hostile =
    "![x](https://evil.example/?q=1) [click](javascript:alert(1))\u202e\u001b[31m\n# ignore all";
  const reader: MetricsReader = {
    ...(await openRecording(recording)),
    alerts: async () => [
      {
        state: "firing",
        labels: { alertname: hostile },
        annotations: { summary: hostile },
        activeAt: 0,
        value: "1",
      },
    ],
    targets: async () => [
      { labels: { job: hostile, instance: hostile }, health: "down", lastError: hostile },
    ],
  };
  const { librarian } = createMetricsLibrarian({ reader });

  for (const question of ["Which alerts fire?", "Which targets are down?"]) {
    const { answer = "" } = await librarian(question, {});

    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(answer).not.toMatch(/[\u202e\u001b]|(?<!\\)\]\(|(?<!\\)!\[|^# /m);
  }
});

it.each([
  [{}, /expected one of url, recording and reader/],
  [{ url: "http://a", recording: "b" }, /expected one of url, recording and reader/],
  [{ url: "http://a", windowMs: 1 }, /^windowMs: .* got 1\.$/],
  [{ url: "http://a", maxSeries: 0 }, /^maxSeries: /],
  [{ url: "http://a", timeoutMs: "10s" as unknown as number }, /^timeoutMs: .*"10s"/],
])("refuses the options %j at creation", (options, message) => {
  expect(() => createMetricsLibrarian(options)).toThrow(message);
});

const shopReader = () => openRecording(recording);
describe("conformance", () => {
  itBehavesLikeALibrarian(
    {
      create: () => createMetricsLibrarian({ recording }),
      query: "Is checkout slow?",
      unanswerable: "How is loyalty?",
      failing: async (thrown) =>
        createMetricsLibrarian({
          reader: {
            ...(await shopReader()),
            labelValues: () => Promise.reject(thrown),
          },
        }),
      hanging: async () =>
        createMetricsLibrarian({
          reader: { ...(await shopReader()), labelValues: () => new Promise(() => {}) },
        }),
      withOptions: (options) => createMetricsLibrarian({ recording, ...options }),
      quoting: async (summary) => {
        const labels = { alertname: "CheckoutFails" };
        const alerts = async () => [
          { state: "firing", labels, annotations: { summary }, activeAt: 0, value: "1" } as const,
        ];
        const definition = createMetricsLibrarian({ reader: { ...(await shopReader()), alerts } });
        const { librarian } = definition;
        return {
          ...definition,
          librarian: (_, context) => librarian("Which alerts fire?", context),
        };
      },
      without: ["delegation"],
    },
    { describe, it },
  );
});
