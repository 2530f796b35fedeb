import { describe, expect, it } from "vitest";
import { createRouter } from "./create-router.js";

function routerThatThrows(options: { debug?: boolean }) {
  const router = createRouter(options);
  router.register({
    id: "on-call",
    description: "throws",
    librarian: () => {
      throw new TypeError("cannot read rota");
    },
  });
  return router;
}

describe("debug of a router", () => {
  it("puts what a librarian threw into the error, message and stack", async () => {
    const { error } = await routerThatThrows({ debug: true }).ask("who?");

    expect(error).toMatchObject({ code: "INTERNAL_ERROR", details: { reason: "threw" } });
    expect(error?.details?.thrown).toMatch(/TypeError: cannot read rota\n\s+at .*debug\.test\.ts/);
  });

  it("puts what was returned into the error of a response that is not valid", async () => {
    const router = createRouter({ debug: true });
    const returned: unknown[] = [{ answer: "yes", confidence: "high" }, { answer: 7n }, undefined];
    router.register({
      id: "wrong",
      description: "d",
      librarian: async () => returned.shift() as never,
    });

    const errors = [await router.ask("a"), await router.ask("b"), await router.ask("c")].map(
      ({ error }) => error?.details,
    );

    expect(errors[0]).toMatchObject({ problem: expect.stringContaining("confidence") });
    expect(errors[0]?.returned).toContain('"confidence": "high"');
    expect(errors.slice(1).map((details) => details?.returned)).toEqual(["an object", "undefined"]);
  });

  it("is off by default: nothing of it is in the response", async () => {
    const response = await routerThatThrows({}).ask("who?");

    expect(JSON.stringify(response)).not.toContain("rota");
  });

  it("is refused when it is not true or false", () => {
    expect(() => createRouter({ debug: "yes" as never })).toThrow(
      'debug: expected true or false, got "yes".',
    );
  });
});
