import { expect, it } from "vitest";
import { now, shop } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const { canAnswer } = createK8sLibrarian({
  reader: createInMemoryReader({ objects: shop(), now }),
});

it.each([
  ["which pods are not ready?", 1],
  ["deployments in production", 1],
  ["which workflow mends the pods?", 0.8],
  ["tell me the memory limit of checkout", 1],
  ["who approves a change?", 0],
])(
  "%s: a kind or a property that is asked for counts more than one that is named",
  async (query, chance) => {
    const { signal } = new AbortController();
    const estimate = await canAnswer?.({ query, signal, deadline: Number.POSITIVE_INFINITY });

    expect(estimate?.chance).toBeCloseTo(chance);
  },
);

it("says that a question names an object of the cluster where it asks for a property of it", async () => {
  const { signal } = new AbortController();
  const isNamed = async (query: string) =>
    (await canAnswer?.({ query, signal, deadline: Number.POSITIVE_INFINITY }))?.isNamed;

  expect(await isNamed("tell me the memory limit of checkout")).toBe(true);
  expect(await isNamed("tell me the memory limit of the lift")).toBe(false);
  expect(await isNamed("who approves a change of checkout?")).toBe(false);
});
