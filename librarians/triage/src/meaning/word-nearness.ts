import type { Delegate } from "@constellation/core";
import { toWordVector } from "@constellation/nlu";
import type { DelegateNearness } from "./nearness.js";

/** Maximum number of examples that are compared. */
const maxExamples = 12;

type WordVector = Float32Array | undefined;

const known = new WeakMap<Delegate, readonly WordVector[]>();

/** How near a delegate is to a text by the vectors of their words: without an embedder, and at once. */
export function compareWords(vector: WordVector, delegate: Delegate): DelegateNearness {
  const [description, ...examples] = vectorsOf(delegate);
  const described = cosine(vector, description);
  if (examples.length === 0) return { described, exemplified: described };
  return { described, exemplified: Math.max(...examples.map((one) => cosine(vector, one))) };
}

/** The vectors of a delegate's description, then of each example; kept. */
export function vectorsOf(delegate: Delegate): readonly WordVector[] {
  // A delegate that is not frozen may change.
  const before = Object.isFrozen(delegate) ? known.get(delegate) : undefined;
  if (before !== undefined) return before;
  const { id, name = "", description = "", capabilities = [], examples = [] } = delegate;
  const about = description === "" ? `${id} ${name}` : `${capabilities.join(" ")} ${description}`;
  const vectors = [about, ...examples.slice(0, maxExamples)].map(toWordVector);
  known.set(delegate, vectors);
  return vectors;
}

function cosine(a: WordVector, b: WordVector): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
