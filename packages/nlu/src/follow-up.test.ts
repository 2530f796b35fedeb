import { describe, expect, it } from "vitest";
import { createEntityIndex } from "./entities/entity-index.js";
import { completeFollowUp } from "./follow-up.js";

const entities = createEntityIndex(
  ["cart", "checkout", "shop", "payments"].map((name) => ({
    kind: name === "shop" || name === "payments" ? "Namespace" : "Deployment",
    name,
  })),
);

describe("a follow-up", () => {
  it.each([
    ["is cart healthy?", "and checkout?", "is checkout healthy?"],
    ["pods in shop", "in payments?", "pods in payments"],
    ["is cart healthy?", "why?", "is cart healthy: why?"],
    ["did cart start?", "how long did it take?", "how long did cart take?"],
    ["errors of cart", "since 10:30?", "errors of cart since 10:30"],
  ])("behind %j, %j is made whole as %j", (question, text, whole) => {
    const turns = [{ question, librarian: "k8s" }];

    expect(completeFollowUp(text, turns, entities)).toEqual({
      isFollowUp: true,
      whole,
      staysWith: "k8s",
    });
  });

  it.each([
    "thanks!",
    "which invoices are overdue?",
    "and who is on call?",
    "is there a page on refunds",
  ])("is not %j", (text) => {
    const turns = [{ question: "is cart healthy?", librarian: "k8s" }];

    expect(completeFollowUp(text, turns, entities)).toEqual({ isFollowUp: false, whole: text });
  });

  it("is nothing without a turn before it", () => {
    expect(completeFollowUp("why?", []).isFollowUp).toBe(false);
  });

  it("reads a turn that was one itself as a whole", () => {
    const turns = [{ question: "is cart healthy?" }, { question: "and checkout?" }];

    expect(completeFollowUp("why?", turns, entities).whole).toBe("is checkout healthy: why?");
  });
});
