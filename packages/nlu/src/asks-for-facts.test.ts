import { expect, it } from "vitest";
import { asksForFacts } from "./asks-for-facts.js";

it.each([
  ["which node runs the most pods?", true],
  ["why does checkout crash?", true],
  ["Is staging healthy?", true],
  ["do not restart checkout, just tell me its memory limit", true],
  ["which workflow fixes checkout?", false],
  ["Do not ask which node it is: which workflow mends it?", false],
  ["checkout is stuck, what should we run?", false],
  ["what can be done about the claim?", false],
  ["propose a remediation for checkout", false],
  ["checkout keeps crashing", false],
  ["please restart checkout, and tell me its memory limit", false],
  ["how do we roll back checkout?", true],
  ["how does the workflow get on with checkout?", false],
  ["why does checkout crash, and which workflow mends it?", false],
])("tells whether only facts are asked for: %s", (question, expected) => {
  expect(asksForFacts(question, ({ lower }) => lower === "workflow")).toBe(expected);
});
