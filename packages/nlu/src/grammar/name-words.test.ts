import { describe, expect, it } from "vitest";
import { findNameWords } from "./name-words.js";

describe("findNameWords", () => {
  it.each([
    ["How do I roll back payments?", ["payments"]],
    ["how to restart the cart-db", ["cart-db"]],
    ["What does npm prune remove?", ["npm", "prune"]],
    ["What do I have to do before I deploy search?", ["search"]],
    ["I want to move the store to Berlin", ["store", "Berlin"]],
    ["show me the alerts of checkout", ["alerts", "checkout"]],
    ["Which options does RetryAgent have?", ["options", "RetryAgent"]],
    ["How does Prometheus compare to Graphite?", ["Prometheus", "Graphite"]],
    ["bundle with esbuild", ["esbuild"]],
    ["payments", ["payments"]],
    ["", []],
  ])("leaves the verbs and the grammar of %j out", (question, words) => {
    expect(findNameWords(question)).toEqual(words);
  });
});
