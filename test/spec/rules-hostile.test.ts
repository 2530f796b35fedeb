import type { Librarian, MergeFunction, Response } from "@constellation/core";
import { MeshError, validateResponse } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, type Part, passesTo, returning } from "./mesh.js";

/** An object that throws whatever is done with it. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** An object whose field throws when it is read. */
function trapped(field: string, rest: object = {}): object {
  return Object.defineProperty({ ...rest }, field, {
    enumerable: true,
    get() {
      throw new Error("password=hunter2");
    },
  });
}

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const cyclicArray: unknown[] = [];
cyclicArray.push(cyclicArray);

/** What a librarian returns, though it should not. */
const garbage: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  "an empty object": {},
  "an array": [],
  text: "an answer",
  "a number": 42,
  NaN: Number.NaN,
  "a symbol": Symbol("x"),
  "a function": () => ({ answer: "a" }),
  "a date": new Date(0),
  "a map": new Map([["answer", "a"]]),
  "confidence NaN": { answer: "a", confidence: Number.NaN },
  "50 MB": { answer: "x".repeat(50_000_000) },
  "a query of 50 MB": { delegate: { to: "b", query: "x".repeat(50_000_000) } },
  "a million sources": {
    answer: "a",
    sources: Array.from({ length: 1_000_000 }, () => ({ name: "x" })),
  },
  "a cycle": cyclic,
  "a cycle of delegates": { delegate: cyclicArray },
  "a cycle as an error": { error: cyclic },
  "a revoked proxy": revoked(),
  "a trap as answer": trapped("answer"),
  "a trap as error": trapped("error", { answer: "a" }),
  "a trap inside an error": { error: trapped("code", { message: "m" }) },
  "a trap inside a source": { answer: "a", sources: [trapped("name")] },
  "a trap inside a delegate": { delegate: trapped("to") },
  "a revoked proxy as metadata": { answer: "a", metadata: revoked() },
  "a trap inside metadata": { answer: "a", metadata: trapped("facts") },
  "a cycle inside metadata": { answer: "a", metadata: cyclic },
  "a trap inside delegate.context": { delegate: { to: "b", context: trapped("reason") } },
  "a revoked proxy as delegate.context": { delegate: { to: "b", context: revoked() } },
  "a trap inside error.details": {
    error: { code: "NOT_FOUND", message: "m", details: trapped("reason") },
  },
};

/** What a librarian throws. */
const thrown: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  text: "boom",
  "a number": 0,
  "an error": new Error("boom"),
  "an error with a trap for a message": trapped("message", new Error("x")),
  "a revoked proxy": revoked(),
  "a response": { answer: "thrown" },
  "a MeshError with an unknown code": Object.assign(new MeshError("TIMEOUT", "m"), {
    code: "NOPE",
  }),
  "a MeshError that was never made": Object.create(MeshError.prototype),
  "a MeshError with a message of 1 MB": new MeshError("NOT_FOUND", "x".repeat(1_000_000)),
  "a MeshError with details that are none": new MeshError("NOT_FOUND", "m", {
    details: 5 as never,
  }),
  "a MeshError with a trap in its details": new MeshError("NOT_FOUND", "m", {
    details: trapped("reason") as never,
  }),
};

/** Waits for a response, and no longer than a second. */
async function inTime(response: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("There was no response within a second.")), 1_000);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks, expects a valid response, and gives it. */
async function ask(parts: Readonly<Record<string, Part>>): Promise<Response> {
  const response = await inTime(meshOf(parts, { timeoutMs: 500 }).ask("q"));

  expect(validateResponse(response)).toMatchObject({ valid: true });
  return response;
}

const b = answers("B says");

for (const [what, librarian] of [
  ...Object.entries(garbage).map(([key, value]) => [`returns ${key}`, returning(value)] as const),
  ...Object.entries(thrown).map(
    ([key, value]) =>
      [
        `throws ${key}`,
        async () => {
          throw value;
        },
      ] as const,
  ),
] satisfies readonly (readonly [string, Librarian])[]) {
  describe(`a librarian that ${what}`, () => {
    it("still leaves its caller a valid response", async () => {
      const response = await ask({ hostile: librarian, b });

      expect(response.answer ?? response.error?.code).toBeDefined();
    });

    it("does its sibling no harm", async () => {
      const response = await ask({ a: passesTo("hostile", "b"), hostile: librarian, b });

      expect(response.answer ?? "no answer").toContain("B says");
    });

    it("leaves the asking librarian with a response", async () => {
      const seen: (Response | undefined)[] = [];
      const asking: Librarian = async (query, context) => {
        seen.push(await context?.ask?.(query, { to: "hostile" }));
        return { answer: "asked" };
      };

      const response = await ask({ asking, hostile: librarian, b });

      expect(response).toEqual({ answer: "asked" });
      expect(seen).toHaveLength(1);
    });
  });
}

describe("a librarian's response", () => {
  it("cannot be changed after the check by the librarian that keeps it", async () => {
    const kept: { answer: unknown; confidence: unknown } = { answer: "A", confidence: 0.9 };

    const response = await ask({ a: returning(kept) });
    kept.answer = 5;
    kept.confidence = Number.NaN;

    expect(response).toEqual({ answer: "A", confidence: 0.9 });
  });

  it("is read once: a different value at a second read has no effect", async () => {
    let reads = 0;
    const changing = Object.defineProperty({}, "answer", {
      get: () => (++reads === 1 ? "A" : 5),
    });

    const response = await ask({ changing: returning(changing) });

    expect(response).toEqual({ answer: "A" });
  });

  it("cannot put what is not a branch into metadata.missing", async () => {
    const response = await ask({
      a: passesTo("b", "liar"),
      b,
      liar: returning({ answer: "L", metadata: { missing: ["three teeth", null, { to: 5 }] } }),
    });

    for (const each of response.metadata?.missing ?? []) {
      expect(each).toMatchObject({
        to: expect.any(String),
        code: expect.any(String),
        message: expect.any(String),
      });
    }
  });

  it("cannot give every object a field by a key of its metadata", async () => {
    const metadata = JSON.parse('{ "__proto__": { "polluted": true } }');

    const response = await ask({
      a: passesTo("b", "evil"),
      b,
      evil: answers("E", { metadata }),
    });

    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(response.answer ?? "no answer").toContain("B says");
  });

  it("may be a thenable that throws when it is waited for", async () => {
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: that is what is tested
      then() {
        throw new Error("boom");
      },
    };
    const librarian = (() => thenable) as unknown as Librarian;

    expect((await ask({ librarian })).error?.code).toBe("INTERNAL_ERROR");
  });

  it("may come without a promise at all", async () => {
    const librarian = (() => ({ answer: "at once" })) as unknown as Librarian;

    expect(await ask({ librarian })).toEqual({ answer: "at once" });
  });
});

describe("a merge function", () => {
  for (const [what, value] of Object.entries(garbage)) {
    it(`that returns ${what} loses no answer`, async () => {
      const merge: MergeFunction = () => value as Response;

      const response = await inTime(
        meshOf({ a: passesTo("b", "c"), b, c: answers("C says") }).ask("q", { merge }),
      );

      expect(validateResponse(response)).toMatchObject({ valid: true });
      expect(response.answer ?? "no answer").not.toBe("no answer");
    });
  }
});
