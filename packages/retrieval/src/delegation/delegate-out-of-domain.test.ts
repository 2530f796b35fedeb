import { describe, expect, it } from "vitest";
import { delegateOutOfDomain } from "./delegate-out-of-domain.js";

const delegates = [
  { id: "k8s", description: "Reads pods and deployments of a cluster." },
  { id: "billing", description: "Invoices and refunds." },
];

describe("delegateOutOfDomain", () => {
  it("delegates to the one that fits, with the reason and the share of the words", () => {
    expect(delegateOutOfDomain("pods of the cluster today", delegates, { id: "docs" })).toEqual({
      to: "k8s",
      context: {
        reason: "outside the domain of docs; the description of k8s has 67 % of its words",
      },
    });
  });

  it("delegates neither to itself nor below the smallest share", () => {
    expect(delegateOutOfDomain("pods", delegates, { id: "k8s" })).toBeUndefined();
    expect(delegateOutOfDomain("bake a cake", delegates, { id: "docs" })).toBeUndefined();
  });
});
