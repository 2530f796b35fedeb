import { readQuestion } from "@constellation/nlu";
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
  expect(readIntent(readQuestion(question)).kind).toBe(kind);
});

it.each([
  ["is checkout slow?", ["latency"]],
  ["what is its error rate and p99", ["errors", "latency"]],
  ["is cart throttled", ["saturation"]],
  ["how many requests does cart get", ["traffic"]],
  ["has cart restarted", ["saturation"]],
  ["how is cart?", ["traffic", "errors", "latency", "saturation"]],
])("%j asks for %j", (question, aspects) => {
  expect(readIntent(readQuestion(question))).toMatchObject({ kind: "signals", aspects });
});

it.each([
  ["is checkout ok", "well"],
  ["was cart healthy at 08:05?", "well"],
  ["is the latency of cart fine?", "well"],
  ["is checkout slow?", "ill"],
  ["does cart have errors", "ill"],
  ["is checkout down?", "ill"],
  ["how is checkout?", undefined],
  ["what is the error rate of cart", undefined],
])("%j asks whether it is %s", (question, asksWhether) => {
  expect(readIntent(readQuestion(question))).toMatchObject({ kind: "signals", asksWhether });
});

it("does not take a word within a longer one for a topic", () => {
  expect(readIntent(readQuestion("how is upload-worker?"))).toMatchObject({
    aspects: ["traffic", "errors", "latency", "saturation"],
  });
});

it.each([
  'up{job="api"}',
  "rate(http_requests_total[5m])",
  "sum by (code) (rate(x_total[1m]))",
  "what does `topk(3, up)` give?",
])("takes PromQL as it is: %s", (question) => {
  expect(readIntent(readQuestion(question)).kind).toBe("promql");
});

it("does not take a sentence with parentheses for PromQL", () => {
  expect(readIntent(readQuestion("is checkout (the new one) slow?")).kind).toBe("signals");
});
