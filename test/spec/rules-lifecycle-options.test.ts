import { describe, expect, it } from "vitest";
import { answers, meshOf } from "./mesh.js";

describe("open, health and close, wrong options", () => {
  for (const method of ["open", "health", "close"] as const) {
    for (const timeoutMs of [0, -1, Number.NaN, "5s", null]) {
      it(`${method} refuses timeoutMs: ${String(timeoutMs)}`, async () => {
        const start = async () => {};
        const health = async () => ({ status: "up" as const });
        const router = meshOf({ a: { librarian: answers("A"), start, health } });
        let thrown: unknown;
        try {
          await router[method]({ timeoutMs: timeoutMs as number });
        } catch (error) {
          thrown = error;
        }

        expect(thrown).toSatisfy(
          (error: unknown) => error instanceof TypeError || error instanceof RangeError,
        );
        expect((thrown as Error).message).toContain("timeoutMs");
        expect((await router.ask("q")).answer).toBe("A");
      });
    }
  }

  for (const [what, options] of [
    ["a value that is not a signal", { signal: {} }],
    ["an unknown key", { timeout: 5 }],
    ["no object", 5],
  ] as const) {
    it(`refuse ${what}`, async () => {
      for (const method of ["open", "health", "close"] as const) {
        const work = async () => meshOf({ a: answers("A") })[method](options as object);

        await expect(work(), method).rejects.toSatisfy(
          (error: unknown) => error instanceof TypeError || error instanceof RangeError,
        );
      }
    });
  }
});
