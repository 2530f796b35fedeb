import { describe, expect, it } from "vitest";
import { textAt } from "../src/cluster/fields.js";
import { createInMemoryReader } from "../src/cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { answerOwnCases, ownCases } from "./own-cases.js";
import { scoreCase } from "./score.js";

describe("the cases for tuning", () => {
  it("are answered right in 19 of 20, and none is called healthy falsely", async () => {
    const scores = (await answerOwnCases()).map(({ one, response }) => scoreCase(one, response));

    expect(scores.filter(({ falseHealthy }) => falseHealthy).map(({ id }) => id)).toEqual([]);
    expect(scores.filter(({ right }) => right).length / scores.length).toBeGreaterThanOrEqual(0.95);
  });
});

function kindIn(object: unknown): string {
  return textAt(object, "kind") ?? "";
}

describe("a part of a broken cluster", () => {
  /** Numbers from 0 to 1, the same in every run. */
  function numbers(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
  }

  // The seeds of which states were called healthy before.
  it.each([2026, 31337])(
    "is never called healthy, whichever kinds were not read (%i)",
    { timeout: 600_000 },
    async (seed) => {
      const random = numbers(seed);
      const broken = ownCases.filter(({ expected }) =>
        expected.signalTypes.every((type) => type !== null && type !== "Healthy"),
      );
      const wrong: string[] = [];
      for (const { id, question, objects, logs, now } of broken) {
        const kinds = [...new Set(objects.map(kindIn))];
        for (let round = 0; round < 5; round++) {
          const left = new Set(kinds.filter(() => random() < 0.6));
          const reader = createInMemoryReader({
            objects: objects.filter((object) => left.has(kindIn(object))),
            logs: random() < 0.5 ? logs : {},
            partial: true,
            ...(now !== undefined && { now }),
          });
          const { metadata } = await createK8sLibrarian({ reader }).librarian(question);
          const facts: unknown = metadata?.facts;
          const [first] = Array.isArray(facts) ? facts : [];
          if (first?.signal_type === "Healthy") wrong.push(`${id} with ${[...left].join(", ")}`);
        }
      }

      expect(wrong).toEqual([]);
    },
  );
});
