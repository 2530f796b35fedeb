import { describe, expect, it } from "vitest";
import { withoutDeniedOrders } from "./denied-orders.js";

describe("withoutDeniedOrders", () => {
  it.each([
    ["Do not restart checkout, just tell me its memory limit", "tell me checkout's memory limit"],
    [
      "Do not scale checkout. How many replicas does it have?",
      "How many replicas does checkout have?",
    ],
    ["don't delete anything - which pods fail in shop?", "which pods fail in shop?"],
    ["Is checkout ok? Please do not change anything.", "Is checkout ok?"],
    ["Never touch the order-db; is it up?", "is order-db up?"],
  ])("leaves out what is forbidden: %s", (question, asked) => {
    expect(withoutDeniedOrders(question)).toBe(asked);
  });

  it.each([
    "Do not restart checkout",
    "Why do pods not start?",
    "Don't the pods of shop have limits?",
    "Restart checkout but not payments",
    "Which pods do not run, and why?",
    "Which deployments have no limits?",
    "Not ready pods in shop, how many?",
  ])("keeps what forbids nothing, or asks for nothing else: %s", (question) => {
    expect(withoutDeniedOrders(question)).toBe(question);
  });
});
