import { testContext } from "@constellation/core/testing";
import { describe, expect, it } from "vitest";
import { createTriageLibrarian } from "./triage-librarian.js";

const homes = { id: "homes", description: "Values residential property: flats and their prices." };
const cluster = { id: "cluster", description: "Reads Kubernetes: pods, nodes and their health." };
const cook = { id: "cook", description: "Recipes and cooking." };
const { librarian } = createTriageLibrarian();

async function targets(query: string, available = [homes, cluster]) {
  const { delegate = [] } = await librarian(
    query,
    testContext({ availableDelegates: available.map((each) => Object.freeze(each)) }),
  );
  return [delegate].flat().map(({ to }) => to);
}

describe("concepts", () => {
  it.each([
    ["how expensive is a condo in Tampa", ["homes"]],
    ["has the kubelet on gpu-2 died", ["cluster"]],
  ])("finds who is asked %j in other words than its description has", async (query, expected) => {
    expect(await targets(query)).toEqual(expected);
  });

  it("refuses a field of business that no librarian covers", async () => {
    const pay = { id: "pay", description: "Wages, salary and bonuses." };

    expect(await targets("how healthy is my payslip")).toEqual([]);
    expect(await targets("how healthy is my pod")).toEqual(["cluster"]);
    expect(await targets("how much salary is on my payslip", [homes, pay])).toEqual(["pay"]);
  });

  it("refuses a subject of everyday life, unless a librarian covers it", async () => {
    const query = "what is the price of a pizza";

    expect(await targets(query)).toEqual([]);
    expect(await targets(query, [homes, cook])).toContain("cook");
  });
});
