import type { Context, Health, Librarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf } from "./mesh.js";

/** Lists the ids it may delegate to. */
const listing: Librarian = async (_query, context?: Context) => ({
  answer: context?.availableDelegates?.map(({ id }) => id).join(" ") ?? "",
});

describe("context.availableDelegates", () => {
  it("leaves out librarians whose health is down, until a later check", async () => {
    let status: Health["status"] = "down";
    const health = async () => ({ status });
    const parts = { a: listing, b: { librarian: answers("B"), health }, c: answers("C") };
    const router = meshOf(parts);

    const before = await router.ask("q");
    await router.health();
    const down = await router.ask("q");
    status = "degraded";
    await router.health();
    const degraded = await router.ask("q");

    expect([before, down, degraded].map(({ answer }) => answer)).toEqual(["b c", "c", "b c"]);
  });

  it("leaves them out of those that delegatesTo declares, too", async () => {
    const router = meshOf({
      a: { librarian: listing, delegatesTo: ["b", "c"] },
      b: { librarian: answers("B"), health: () => Promise.reject(new Error("down")) },
      c: answers("C"),
    });

    await router.health();

    expect((await router.ask("q")).answer).toBe("c");
  });

  it("keeps a librarian whose health check the caller gave up", async () => {
    const health = () => new Promise<Health>(() => {});
    const router = meshOf({ a: listing, b: { librarian: answers("B"), health } });
    const caller = new AbortController();

    const checking = router.health({ signal: caller.signal });
    caller.abort();
    await checking;

    expect((await router.ask("q")).answer).toBe("b");
  });

  it("still lets a librarian that is down be asked by its id", async () => {
    const health = async () => ({ status: "down" as const });
    const router = meshOf({ a: listing, b: { librarian: answers("B"), health } });

    await router.health();

    expect((await router.ask("q", { to: "b" })).answer).toBe("B");
  });
});
