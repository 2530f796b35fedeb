import { describe, expect, it } from "vitest";
import { readOwnCases, runOwnCases } from "../eval/own-cases.js";

const outcomes = await runOwnCases(readOwnCases("dev"));
const named = outcomes.filter(({ namesNone }) => !namesNone);

describe("cases over catalogs of databases, networks, cloud cost and clusters", () => {
  it("CAT-034 get the right workflow in at least 85 % of those that name one", () => {
    const right = named.filter(({ isRight }) => isRight);

    expect(named.length).toBeGreaterThan(40);
    expect(right.length / named.length).toBeGreaterThanOrEqual(0.85);
  });

  it("have a person look at every wrong pick, in catalogs of streams, builds and storage too", async () => {
    const later = await runOwnCases(readOwnCases("dev-later"));

    expect(
      [...outcomes, ...later].filter(({ isRight, isReviewed }) => !isRight && !isReviewed),
    ).toEqual([]);
  });

  it("need no person for a third of the right ones or more", () => {
    const alone = named.filter(({ isRight, isReviewed }) => isRight && !isReviewed);

    expect(alone.length / named.length).toBeGreaterThanOrEqual(1 / 3);
  });
});
