import { expect, it } from "vitest";
import { readIntent } from "./intent.js";

it.each([
  ["which alerts fire?", "alerts"],
  ["what is firing right now", "alerts"],
  ["were we paged?", "alerts"],
  ["which targets are down", "targets"],
  ["is everything being scraped?", "targets"],
  ["delete the series of checkout", "change"],
  ["please silence CheckoutSlow", "change"],
  ["is checkout slow?", "signals"],
])("%j is about %s", (question, kind) => {
  expect(readIntent(question).kind).toBe(kind);
});

it.each([
  ["is checkout slow?", ["latency"]],
  ["what is its error rate and p99", ["errors", "latency"]],
  ["is cart throttled", ["saturation"]],
  ["how many requests does cart get", ["traffic"]],
  ["how is cart?", ["traffic", "errors", "latency", "saturation"]],
])("%j asks for %j", (question, aspects) => {
  expect(readIntent(question)).toEqual({ kind: "signals", aspects });
});

it.each([
  'up{job="api"}',
  "rate(http_requests_total[5m])",
  "sum by (code) (rate(x_total[1m]))",
  "what does `topk(3, up)` give?",
])("takes PromQL as it is: %s", (question) => {
  expect(readIntent(question).kind).toBe("promql");
});

it("does not take a sentence with parentheses for PromQL", () => {
  expect(readIntent("is checkout (the new one) slow?").kind).toBe("signals");
});
