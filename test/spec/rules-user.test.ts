import type { Librarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, watched } from "./mesh.js";

describe("rule 9, the user", () => {
  it("reaches unchanged each librarian that is delegated to or asked", async () => {
    const b = watched(async (query, context) => await context.ask(query, { to: "c" }));
    const c = watched(answers("C"));
    const user = { id: "u1", name: "Ada", teams: ["sre"], roles: ["reader"], tenant: "t1" };
    const a: Librarian = async () => ({
      delegate: { to: "b", context: { user: { id: "root" } } },
    });

    await meshOf({ a, b: b.librarian, c: c.librarian }).ask("q", { user });

    expect(b.contexts[0]?.user).toEqual(user);
    expect(c.contexts[0]?.user).toEqual(user);
  });

  it("cannot be changed by a librarian for the next one, nor for the caller", async () => {
    const user = { id: "u1", roles: ["reader"] };
    const b = watched(answers("B"));
    const a: Librarian = async (_query, context) => {
      try {
        Object.assign(context?.user ?? {}, { id: "root", roles: ["admin"] });
      } catch {
        // a write throws
      }
      return { delegate: { to: "b" } };
    };

    await meshOf({ a, b: b.librarian }).ask("q", { user });

    expect(b.contexts[0]?.user).toEqual({ id: "u1", roles: ["reader"] });
    expect(user).toEqual({ id: "u1", roles: ["reader"] });
  });
});
