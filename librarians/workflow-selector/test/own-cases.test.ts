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

  it("have a person look at all but 2 % of wrong picks, in catalogs of streams, builds, storage and operations too", async () => {
    const more = [...readOwnCases("dev-later"), ...readOwnCases("dev-operations")];
    const all = [...outcomes, ...(await runOwnCases(more))];
    const unseen = all.filter(({ isRight, isReviewed }) => !isRight && !isReviewed);

    expect(unseen.length / all.length).toBeLessThanOrEqual(0.02);
  });

  it("need no person for a fifth of the right ones or more", () => {
    const alone = named.filter(({ isRight, isReviewed }) => isRight && !isReviewed);

    expect(alone.length / named.length).toBeGreaterThanOrEqual(1 / 5);
  });
});
