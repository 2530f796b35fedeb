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
])("%s: a kind that is asked for counts more than one that is named", async (query, chance) => {
  const { signal } = new AbortController();
  const estimate = await canAnswer?.({ query, signal, deadline: Number.POSITIVE_INFINITY });

  expect(estimate?.chance).toBeCloseTo(chance);
});
