import {
  type AIClient,
  MeshError,
  type MeshLibrarian,
  type Response,
  validateResponse,
} from "@constellation/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { answers, meshOf, never, passesTo, returning, scriptedAi, watched } from "./mesh.js";

/** A value that throws whatever is done with it, also in `instanceof`. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** An error whose every field throws when it is read. */
const trappedError = new Proxy(new MeshError("TIMEOUT", "m"), {
  get() {
    throw new Error("password=hunter2");
  },
  getPrototypeOf: () => MeshError.prototype,
});

const nameless = Object.assign(new Error("x"), { name: Symbol("x") as unknown as string });

const hostile: Readonly<Record<string, unknown>> = {
  "a revoked proxy": revoked(),
  "an error with traps": trappedError,
  "an error without a name": nameless,
  "a symbol": Symbol("x"),
  "a BigInt": 10n,
  nothing: null,
};

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.restoreAllMocks();
});

for (const [what, value] of Object.entries(hostile)) {
  describe(`${what}`, () => {
    it("as the reason of an abort cancels every run on the signal", async () => {
      const router = meshOf({ never });
      const caller = new AbortController();
      const responses = [1, 2, 3].map(() => router.ask("q", { signal: caller.signal }));

      caller.abort(value);

      for (const response of await Promise.all(responses)) {
        expect(response.error).toMatchObject({
          code: "TIMEOUT",
          details: { reason: "cancelled" },
        });
        expect(validateResponse(response)).toMatchObject({ valid: true });
      }
    });

    it("as the reason of a signal that has aborted gives a response too", async () => {
      const caller = new AbortController();
      caller.abort(value);

      const response = await meshOf({ never }).ask("q", { signal: caller.signal });

      expect(response.error?.details?.reason).toBe("cancelled");
    });

    it("as the reason given to run.cancel cancels", async () => {
      const run = meshOf({ never }).start("q");

      run.cancel(value as string);

      expect((await run.response).error?.details?.reason).toBe("cancelled");
    });

    it("thrown by a listener, now or later, changes nothing", async () => {
      vi.spyOn(process, "emitWarning").mockImplementation(() => {});
      const router = meshOf({ a: answers("A") });
      router.on("run:start", () => {
        throw value;
      });
      router.on("run:end", async () => {
        throw value;
      });

      const response = await router.ask("q");
      await settle(); // an unhandled rejection would end the test

      expect(response).toEqual({ answer: "A" });
    });

    it("thrown by a health check, a start or a close ends none of those calls", async () => {
      const rejects = async () => {
        throw value;
      };
      const a = { librarian: answers("A"), health: rejects, close: rejects };
      const b = { librarian: answers("B"), start: rejects };
      const router = meshOf({ a, b });

      const health = await router.health();
      const response = await router.ask("q", { to: "b" });
      await router.close();

      expect(health.a).toEqual({ status: "down", message: "Its health check failed." });
      expect(response.error?.code).toBe("SERVICE_UNAVAILABLE");
    });

    it("in metadata.missing leaves the other branches their answers", async () => {
      const response = await meshOf({
        a: passesTo("b", "liar"),
        b: answers("B"),
        liar: returning({ answer: "L", metadata: { missing: value } }),
      }).ask("q");

      expect(response.answer).toContain("B");
      const missing = response.metadata?.missing ?? [];
      const isTaken = response.answer?.includes("L");
      expect(missing).toMatchObject(isTaken ? [] : [{ to: "liar", code: "INTERNAL_ERROR" }]);
    });

    it("reported as progress is refused, and nothing else", async () => {
      const thrown: unknown[] = [];
      const a: MeshLibrarian = async (_query, context) => {
        try {
          context?.report?.({ text: value } as never);
          context?.report?.(value as string);
        } catch (error) {
          thrown.push(error);
        }
        return { answer: "A" };
      };

      expect(await meshOf({ a }).start("q").response).toEqual({ answer: "A" });
      expect(thrown).toMatchObject([{ name: "TypeError" }]);
    });

    it("thrown by a model does not get round the budget", async () => {
      const rejects = async () => {
        throw value;
      };
      const ai: AIClient = { complete: rejects, analyze: rejects, runTools: rejects };
      let caught: unknown;
      const a: MeshLibrarian = async (_query, context) => {
        await context?.ai?.complete({ prompt: "p" }).catch((thrown: unknown) => {
          caught = thrown;
        });
        return { answer: "A" };
      };

      await meshOf({ a }).ask("q", { ai, budget: { tokens: 1_000 } });

      expect(caught).toBeInstanceOf(MeshError);
      expect(Object.is((caught as MeshError).cause, value)).toBe(true);
    });
  });
}

describe("an option", () => {
  it.each([
    ["signal", { signal: revoked() }],
    ["metadata", { metadata: revoked() }],
    ["user", { user: revoked() }],
    ["merge", { merge: revoked() }],
  ])("%s that cannot be read is refused by name", (name, options) => {
    const router = meshOf({ a: answers("A") });

    expect(() => router.ask("q", options as never)).toThrow(TypeError);
    expect(() => router.ask("q", options as never)).toThrow(new RegExp(`^${name}:`));
  });

  it("of context.ask is read once: a different value at a second read has no effect", async () => {
    let reads = 0;
    const changing = {
      get to() {
        return ++reads === 1 ? "b" : Symbol("x");
      },
    } as { to: string };
    const a: MeshLibrarian = async (query, context) => await context.ask(query, changing);

    expect(await meshOf({ a, b: answers("B") }).ask("q")).toEqual({ answer: "B" });
  });
});

describe("an abort listener of a librarian", () => {
  it("that throws is contained: the caller has its response and the process lives", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const last = vi.fn();
    const a: MeshLibrarian = (_query, context) => {
      context?.signal?.addEventListener("abort", () => {
        throw new Error("cleanup failed");
      });
      context?.signal?.addEventListener("abort", last);
      return new Promise(() => {});
    };

    const response = await meshOf({ a }).ask("q", { timeoutMs: 10 });
    await settle(); // an uncaught exception would end the test

    expect(response.error?.code).toBe("TIMEOUT");
    expect(last).toHaveBeenCalledTimes(1);
  });
});

describe("metadata.missing of a librarian", () => {
  it("with 50,000 entries is cut to what a response may hold", async () => {
    const entry = { to: "x", code: "TIMEOUT", message: "m".repeat(100) };
    const missing = Array.from({ length: 50_000 }, () => entry);
    missing[0] = { ...entry, message: "m".repeat(10_000) };

    const response = await meshOf({
      a: passesTo("b", "liar"),
      b: answers("B"),
      liar: returning({ answer: "L", metadata: { missing } }),
    }).ask("q");

    expect(response.metadata?.missing).toHaveLength(10_000);
    expect(response.metadata?.missing?.[0]?.message.length).toBeLessThanOrEqual(2_000);
  });
});

describe("a merge", () => {
  it("of valid responses is a valid response: long answers are cut, each to its share", async () => {
    const long = (letter: string) =>
      answers(letter.repeat(999_999), { sources: manySources(letter) });
    const response = await meshOf({
      a: passesTo("b", "c", "d"),
      b: long("b"),
      c: long("c"),
      d: answers("short"),
    }).ask("q");

    expect(validateResponse(response)).toMatchObject({ valid: true });
    expect(response.partial).toBe(true);
    expect(response.answer).toMatch(/bbb[\s\S]*\[Cut\.[\s\S]*ccc[\s\S]*\[Cut\.[\s\S]*short$/);
    expect(response.metadata?.branches?.[0]?.response.answer).toHaveLength(999_999);
    expect(response.sources).toHaveLength(10_000);
  });

  it("function that changes what it is given changes nothing that is reported", async () => {
    const response = await meshOf({ a: passesTo("b", "c"), b: answers("B"), c: answers("C") }).ask(
      "q",
      {
        merge: (branches) => {
          for (const { response: each } of branches) (each as { answer: unknown }).answer = 5;
          (branches as unknown[]).length = 0;
          return { answer: "merged" };
        },
      },
    );

    expect(response.metadata?.branches).toMatchObject([
      { to: "b", response: { answer: "B" } },
      { to: "c", response: { answer: "C" } },
    ]);
  });
});

const manySources = (of: string) =>
  Array.from({ length: 9_000 }, (_, index) => ({ name: `${of}${index}` }));

describe("an error for what a librarian returned", () => {
  const secret = "SK-live_9f8e7d";

  it.each<[string, Response]>([
    ["an answer", { answer: [secret] as never }],
    ["a code", { error: { code: secret as never, message: "m" } }],
    ["a confidence", { answer: "a", confidence: secret as never }],
    ["a merge", { delegate: { to: "b" }, merge: secret as never }],
    ["a delegate", { delegate: { to: secret } }],
    ["several delegates", { delegate: [{ to: secret }, { to: secret }] }],
  ])("repeats no content of %s", async (_what, returned) => {
    const router = meshOf({ a: async () => returned, b: answers("B") });

    const run = router.start("q");
    const response = await run.response;

    expect(response.error?.message).toBeTypeOf("string");
    expect(JSON.stringify([response, run.explain()])).not.toContain(secret);
  });

  it("still names an unknown id", async () => {
    const response = await meshOf({ a: passesTo("nobody") }).ask("q");

    expect(response.error?.message).toContain('"nobody"');
  });
});

describe("a budget", () => {
  it.each([Number.NaN, -1_000_000, Number.POSITIVE_INFINITY, "many"])(
    "holds against a model that reports %s tokens",
    async (reported) => {
      const ai = scriptedAi("text");
      const usage = { inputTokens: reported, outputTokens: reported } as never;
      const lying: AIClient = {
        ...ai,
        complete: async (request) => ({ ...(await ai.complete(request)), usage }),
      };
      const errors: unknown[] = [];
      const a: MeshLibrarian = async (_query, context) => {
        for (let call = 0; call < 3; call++) {
          await context?.ai
            ?.complete({ prompt: "x".repeat(3_000), maxTokens: 100 })
            .catch((error: unknown) => errors.push(error));
        }
        return { answer: "A" };
      };

      await meshOf({ a }).ask("q", { ai: lying, budget: { tokens: 2_500 } });

      expect(ai.requests.length).toBeLessThanOrEqual(3);
      expect(errors.every((error) => error instanceof MeshError)).toBe(true);
      for (const request of ai.requests) {
        expect((request as { maxTokens: number }).maxTokens).toBeLessThanOrEqual(100);
      }
    },
  );
});

describe("a librarian that asks on and on after its hops are used", () => {
  it("cannot fill the record, and cannot keep the deadline from firing", async () => {
    const a: MeshLibrarian = async (query, context) => {
      while (context?.signal?.aborted === false) await context.ask?.(query, { to: "b" });
      return { answer: "A" };
    };
    const router = meshOf({ a, b: answers("B") }, { maxHops: 2, timeoutMs: 100 });

    const run = router.start("q");
    const response = await run.response;

    const { hops, omittedRefusals } = run.explain();
    expect(response.error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
    expect(hops.length).toBeLessThanOrEqual(1_002);
    expect(omittedRefusals).toBeGreaterThan(0);
  });
});

describe("loops: 'work' with metadata that is slow or impossible to compare", () => {
  const deep = (levels: number) => (): object => {
    let value: object = {};
    for (let level = 0; level < levels; level++) value = { n: value };
    return value;
  };
  const shared = (): object => {
    let value: object = { v: 1 };
    for (let level = 0; level < 16; level++) value = { a: value, b: value };
    return value;
  };
  const throwing = () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("x");
        },
      },
    );

  it.each<[string, () => object, string]>([
    ["deep", deep(1_000), "MAX_DEPTH_EXCEEDED"],
    ["deeper than can be read", deep(20_000), "INTERNAL_ERROR"],
    ["shared in itself", shared, "LOOP_DETECTED"],
    ["throwing", throwing, "INTERNAL_ERROR"],
  ])("%s: ends the chain in time", async (_what, make, code) => {
    const a: MeshLibrarian = async () => ({ delegate: { to: "b", context: { data: make() } } });
    const b = watched(async () => ({ delegate: { to: "a" } }));

    const response = await meshOf(
      { a, b: b.librarian },
      {
        loops: "work",
        timeoutMs: 60_000,
        maxMetadataDepth: 1_000_000,
        maxMetadataLength: 1_000_000_000,
      },
    ).ask("q");

    expect(response.error?.code).toBe(code);
  });
});

describe("a promise of a librarian with a constructor of its own", () => {
  class Hostile<Result> extends Promise<Result> {}
  void Object.defineProperty(Hostile, Symbol.species, {
    value: function species(executor: (resolve: unknown, reject: unknown) => void) {
      const boom = () => {
        throw new Error("nothing can catch this");
      };
      executor(boom, boom);
    },
  });

  it.each<[string, () => Promise<Response>, string]>([
    ["is read as it is", () => Hostile.resolve({ answer: "A" }), "A"],
    [
      "also when the constructor is its own",
      () =>
        Object.defineProperty(Promise.resolve({ answer: "A" }), "constructor", {
          value: Hostile,
          configurable: true,
        }),
      "A",
    ],
    [
      "is refused when it is frozen",
      () => Object.freeze(Hostile.resolve({ answer: "A" })),
      "INTERNAL_ERROR",
    ],
    [
      "is an error when it rejects",
      () => Hostile.reject(new Error("x")) as Promise<Response>,
      "INTERNAL_ERROR",
    ],
  ])("%s", async (_what, make, expected) => {
    const { answer, error } = await meshOf({ a: () => make() }).ask("q");
    await settle(); // an uncaught exception would end the test

    expect(answer ?? error?.code).toBe(expected);
  });
});
