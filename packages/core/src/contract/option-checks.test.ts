import { type AskOptions, createRouter, type RouterOptions } from "@constellation/core";
import { describe, expect, it } from "vitest";

const ready = { id: "a", description: "Answers.", librarian: async () => ({ answer: "A" }) };

const refused = (options: object) => {
  try {
    createRouter(options as RouterOptions);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return undefined;
};

describe("a wrong option", () => {
  it.each([
    [{ merge: { quorum: 0 } }, "merge.quorum: expected an integer of 1 or more, got 0."],
    [
      { retry: { minDelayMs: 0 } },
      "retry.minDelayMs: expected milliseconds, 1 to 2147483647, got 0.",
    ],
    [
      { breaker: { failureShare: 7 } },
      "breaker.failureShare: expected more than 0 and at most 1, got 7.",
    ],
    [
      { breaker: { failureshare: 1 } },
      /^breaker: unknown key "failureshare"\. Did you mean "failureShare"\?/,
    ],
    [{ budget: { token: 1 } }, /^budget: unknown key "token"\. Did you mean "tokens"\?/],
    [{ timeoutms: 1 }, /^options: unknown key "timeoutms"\. Did you mean "timeoutMs"\?/],
    [{ name: " " }, "name: expected text, got text of 1 characters."],
    [{ maxSources: -1 }, "maxSources: expected an integer of 0 or more, or Infinity, got -1."],
    [{ loops: 1 }, 'loops: expected "path" or "work", got 1.'],
    [{ secrets: { reason: ["a"] } }, /^secrets: "reason" is recorded/],
  ])("%j is named with its value", (options, message) => {
    expect(refused(options)).toMatch(message);
  });

  it("of a caller of another mesh is named too", () => {
    const router = createRouter();
    const options = { caller: { path: [], hopLeft: 1 } } as AskOptions;

    expect(() => router.ask("q", options)).toThrow(
      'caller: unknown key "hopLeft". Did you mean "hopsLeft"?',
    );
  });
});

describe("options", () => {
  it("are read once, so that one that changes while it is read cannot pass the check", async () => {
    let reads = 0;
    const options = {
      get timeoutMs() {
        return reads++ === 0 ? 5_000 : Number.NaN;
      },
    };
    const router = createRouter(options);
    router.register(ready);

    expect((await router.ask("q")).answer).toBe("A");
    expect(reads).toBe(1);
  });

  it("are copied: lists and objects in them may change later", async () => {
    const users = ["ada"];
    const secrets = { token: ["a"] };
    const router = createRouter({ secrets });
    router.register({ ...ready, allow: { users } });
    users.push("bob");
    secrets.token.push("b");

    expect((await router.ask("q", { user: { id: "bob" } })).error?.code).toBe("UNAUTHORIZED");
    expect((await router.ask("q", { user: { id: "ada" } })).answer).toBe("A");
  });

  it("keep a cache that has no stale answers", () => {
    const store = { get: () => undefined, set: () => {} };

    expect(() =>
      createRouter().register({ ...ready, cache: { store, staleIfErrorMs: 0 } }),
    ).not.toThrow();
  });
});
