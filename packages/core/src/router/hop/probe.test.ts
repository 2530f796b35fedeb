import { expect, it } from "vitest";
import type { AnswerEstimates, AnswerProbe } from "../../contract/answer-estimate.js";
import type { LibrarianDefinition } from "../../contract/definition.js";
import { MeshError } from "../../contract/mesh-error.js";
import { createRouter } from "../create-router.js";

/** Estimates that an entry reads, with some librarians beside it. */
async function probe(
  librarians: readonly Partial<LibrarianDefinition>[],
  options: Parameters<ReturnType<typeof createRouter>["ask"]>[1] = {},
  probing: object = {},
): Promise<AnswerEstimates> {
  let found: AnswerEstimates = new Map();
  const router = createRouter({ entry: "entry" });
  router.register({
    id: "entry",
    description: "probes",
    librarian: async (query, context) => {
      found = await context.probe(query, probing);
      return { answer: "probed" };
    },
  });
  for (const [at, each] of librarians.entries()) {
    router.register({
      id: `l${at}`,
      description: "has content",
      librarian: async () => {
        throw new Error("A probe must not call the librarian.");
      },
      ...each,
    });
  }
  const { error } = await router.ask("where is it?", options);
  expect(error).toBeUndefined();
  await router.close();
  return found;
}

it("gives the estimates of the librarians that have one, in coarse steps", async () => {
  const found = await probe([
    { canAnswer: () => ({ chance: 0.7499, coverage: 0.33, similarity: -0.2, matches: 17 }) },
    {},
    { canAnswer: async () => ({ chance: 2, isNamed: true, version: "7" }) },
  ]);

  expect([...found.keys()]).toEqual(["l0", "l2"]);
  expect(found.get("l0")?.chance).toBeCloseTo(0.7);
  expect(found.get("l0")?.coverage).toBeCloseTo(0.3);
  expect(found.get("l0")).toMatchObject({ similarity: 0, matches: 10 });
  expect(found.get("l2")).toMatchObject({ chance: 1, isNamed: true, version: "7" });
});

it("leaves out those that are late, fail, or return anything else", async () => {
  const found = await probe([
    { canAnswer: () => new Promise(() => undefined) },
    {
      canAnswer: () => {
        throw new Error("no index");
      },
    },
    { canAnswer: async () => undefined },
    { canAnswer: () => ({ chance: Number.NaN }) },
    { canAnswer: () => ({ chance: 0.5 }) },
  ]);

  expect([...found.keys()]).toEqual(["l4"]);
});

it("asks under the rights of the path, and none that may not be asked", async () => {
  const probes: AnswerProbe[] = [];
  const canAnswer = (each: AnswerProbe) => {
    probes.push(each);
    return { chance: 1 };
  };
  const found = await probe(
    [
      { canAnswer, allow: { teams: ["hr"] } },
      { canAnswer, allow: { teams: ["shop"] } },
    ],
    { user: { id: "anna", teams: ["shop"] } },
  );

  expect([...found.keys()]).toEqual(["l1"]);
  expect(probes.map(({ query, user }) => [query, user?.id])).toEqual([["where is it?", "anna"]]);
});

it("asks only those that are named, and aborts what takes longer", async () => {
  const reasons: unknown[] = [];
  const found = await probe(
    [
      { canAnswer: () => ({ chance: 1 }) },
      {
        canAnswer: ({ signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => {
              reasons.push(signal.reason);
              reject(signal.reason);
            }),
          ),
      },
    ],
    {},
    { to: ["l1"] },
  );

  expect(found.size).toBe(0);
  expect(reasons).toEqual([expect.any(MeshError)]);
});
