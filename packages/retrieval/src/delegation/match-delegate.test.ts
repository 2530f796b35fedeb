import { describe, expect, it } from "vitest";
import { matchDelegate } from "./match-delegate.js";

const k8s = { id: "k8s", description: "Reads pods and deployments of a cluster." };
const billing = {
  id: "billing",
  description: "Invoices and refunds.",
  examples: ["Where is my refund?"],
};

describe("matchDelegate", () => {
  it("finds the delegate whose description has most of the query's words", () => {
    expect(matchDelegate("which pods crash in the cluster?", [billing, k8s])).toEqual({
      to: "k8s",
      share: 2 / 3,
    });
    expect(matchDelegate("refund of an order", [k8s, billing])?.to).toBe("billing");
  });

  it("finds none below the smallest share, for itself, and where it fits no better", () => {
    expect(matchDelegate("bake a chocolate cake with pods", [k8s])).toBeUndefined();
    expect(matchDelegate("pods", [k8s], { exclude: "k8s" })).toBeUndefined();
    expect(matchDelegate("pods", [k8s], { ownShare: 1 })).toBeUndefined();
    expect(matchDelegate("?!", [k8s])).toBeUndefined();
  });

  it("never chooses one that writes", () => {
    const refunds = { id: "refunds", description: "Refund of an order", effects: "write" as const };

    expect(matchDelegate("was the refund of the order made?", [refunds, billing])?.to).toBe(
      "billing",
    );
    expect(matchDelegate("refund order", [refunds])).toBeUndefined();
  });

  it("takes of equal ones one of the user's teams", () => {
    const delegates = ["a", "b", "c"].map((id) => ({
      id,
      team: `team-${id}`,
      description: "Pods.",
    }));
    const of = (teams?: readonly string[]) => matchDelegate("pods", delegates, { teams })?.to;

    expect(of()).toBe("a");
    expect(of(["team-c"])).toBe("c");
    expect(of(["team-c", "team-b"])).toBe("b");
    expect(of(["team-d"])).toBe("a");
    const better = { id: "d", description: "Pods crash." };
    expect(matchDelegate("pods crash", [...delegates, better], { teams: ["team-a"] })?.to).toBe(
      "d",
    );
  });

  it("weighs the words, and takes the first by id of equal ones", () => {
    const termWeight = (term: string) => (term === "refund" ? 1 : 9);
    expect(matchDelegate("refund pods", [billing, k8s], { termWeight })?.to).toBe("k8s");
    expect(
      matchDelegate("pods", [
        { ...k8s, id: "z" },
        { ...k8s, id: "a" },
      ])?.to,
    ).toBe("a");
  });
});
