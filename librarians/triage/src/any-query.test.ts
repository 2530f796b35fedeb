import { testContext } from "@constellation/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createTriageLibrarian } from "./triage-librarian.js";

const delegates = [
  { id: "k8s", description: "Reads the cluster: pods that crash." },
  { id: "docs", description: "Answers from runbooks: certificates." },
  { id: "property", description: "Advises on house prices." },
];
const known = fc.constantFrom("pods", "crash", "certificates", "runbooks", "house", "prices", "it");
const between = fc.constantFrom(" ", ", ", "? ", "; ", " and ", ".\n", " - ", ":", "\u0000", "=");
const query = fc
  .array(fc.oneof(known, between, fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 30 })
  .map((parts) => parts.join(""));

it("gives, whatever is asked, one delegate each, available ones only, and never a blank query", async () => {
  const { librarian } = createTriageLibrarian({ maxDelegates: 2 });
  const context = testContext({ availableDelegates: delegates });

  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const { delegate = [], error } = await librarian(asked, context);
      const targets = [delegate].flat();
      const ids = targets.map(({ to }) => to);

      expect(targets.length === 0).toBe(error !== undefined);
      expect(ids.length).toBeLessThanOrEqual(2);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => delegates.some((each) => each.id === id))).toBe(true);
      expect(targets.every((each) => each.query !== undefined && each.query.trim() !== "")).toBe(
        true,
      );
      if (error !== undefined) expect(["NOT_FOUND", "INVALID_QUERY"]).toContain(error.code);
    }),
    { numRuns: 300, seed: 7 },
  );
});
