import { expect, it } from "vitest";
import { catalogOf, entry } from "../../test/workflows.js";
import { createPostings } from "./entry-postings.js";
import { readScoreModel } from "./score-model.js";

it("counts a concept that many troubles show half of one that tells them apart", async () => {
  const { workflows } = await catalogOf(
    entry("one", { description: "For a program that crashes" }),
    entry("two", { description: "For a container that was OOMKilled" }),
  );
  const { worth } = createPostings(workflows);
  const { commonness } = readScoreModel();
  const rarity = (term: string) => worth(term) / (1 - (commonness[term] ?? 0));

  expect(rarity("concept:oom")).toBeGreaterThan(0);
  expect(rarity("concept:crash")).toBeCloseTo(rarity("concept:oom") / 2, 6);
});
