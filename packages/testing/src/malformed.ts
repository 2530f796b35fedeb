/** Every kind of malformed response, with a function that makes it. */
const makers = {
  /** Nothing. */
  undefined: () => undefined,
  null: () => null,
  number: () => 42,
  text: () => "an answer, but bare",
  array: () => [{ answer: "in an array" }],
  /** A function where an object should be. */
  function: () => () => ({ answer: "too late" }),
  /** An object without any field of a response. */
  empty: () => ({}),
  "nan-confidence": () => ({ answer: "sure", confidence: Number.NaN }),
  "high-confidence": () => ({ answer: "sure", confidence: 2 }),
  "wrong-types": () => ({ answer: 5, sources: {}, partial: "yes", metadata: "none" }),
  "nameless-source": () => ({ answer: "sourced", sources: [{ url: "https://docs.example" }] }),
  "wrong-delegate": () => ({ delegate: [{ to: "somebody" }, {}] }),
  "wrong-code": () => ({ error: { code: "NOPE", message: "no such code" } }),
  /** An answer that contains itself, where text should be. */
  cyclic: () => {
    const response: Record<string, unknown> = {};
    response.answer = response;
    return response;
  },
  /** Reading its answer throws. */
  "throwing-getter": () => ({
    get answer() {
      throw new Error("chaos: getter");
    },
  }),
  /** Every access throws. */
  "throwing-proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  /** Its `then` throws. */
  "throwing-thenable": () =>
    thenable(() => {
      throw new Error("chaos: then");
    }),
  /** Its `then` resolves with nothing and then rejects; only the first counts. */
  "double-thenable": () =>
    thenable((resolve, reject) => {
      resolve(undefined);
      reject(new Error("chaos: settled twice"));
    }),
} as const satisfies Record<string, () => unknown>;

/** A kind of malformed response. */
export type MalformedKind = keyof typeof makers;

/** Every {@link MalformedKind}, always in the same order. */
export const malformedKinds: readonly MalformedKind[] = Object.keys(makers) as MalformedKind[]; // its own keys

/** Makes a malformed response. Never the same object twice. */
export function createMalformed(kind: MalformedKind): unknown {
  return makers[kind]();
}

type Then = (resolve: (value: unknown) => void, reject: (reason: unknown) => void) => void;

/** An object with a `then`, which is what this file is about. */
function thenable(then: Then): object {
  // biome-ignore lint/suspicious/noThenProperty: it has to look like a promise.
  return Object.defineProperty({}, "then", { value: then, enumerable: true });
}
