import type { Context, Delegate } from "@constellation/core";
import { delegatesOf } from "@constellation/core/checks";
import { contextFor, expect, expectError, withLibrarian } from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";

/** An available delegate, first in the list, that cannot answer any query of a test. */
const bystander: Delegate = {
  id: "conformance-bystander",
  description: "Gives the tides of seas that dried up.",
  capabilities: ["conformance.bystander"],
};

/** Checks of delegation. */
export const delegationChecks: readonly LibrarianCheck[] = [
  {
    name: "delegates",
    part: "delegation",
    needs: "outOfDomain",
    title:
      "CORE-076 CORE-071 delegates a query outside its domain to the delegate that fits, with a reason",
    async run(options) {
      const { outOfDomain } = options;
      if (outOfDomain === undefined) return;
      const context = contextFor(options, {
        availableDelegates: [bystander, outOfDomain.delegate],
      });
      await withLibrarian(options, options.create, async (ask) => {
        const response = await ask(outOfDomain.query, context);
        const delegates = delegatesOf(response);
        const ids = delegates.map(({ to }) => to);
        expect(ids.length > 0, "it did not delegate a query outside its domain", {
          actual: response,
        });
        expect(
          ids.every((id) => id === outOfDomain.delegate.id),
          `it delegated to ${ids.join(", ")}; expected ${outOfDomain.delegate.id}`,
          { actual: ids, expected: [outOfDomain.delegate.id] },
        );
        for (const { context: added } of delegates) {
          expect(
            typeof added?.reason === "string" && added.reason.trim() !== "",
            "its delegate has no `reason` in its context",
            { actual: added },
          );
        }
      });
    },
  },
  {
    name: "invents-no-delegate",
    part: "delegation",
    needs: "outOfDomain",
    title: "CORE-076 CORE-071 answers NOT_FOUND when no fitting delegate is available",
    async run(options) {
      const { outOfDomain } = options;
      if (outOfDomain === undefined) return;
      const withoutDelegates: readonly (readonly [string, Context | undefined])[] = [
        ["without delegates", contextFor(options, { availableDelegates: [] })],
        ["with an empty context", { ...options.context, availableDelegates: undefined }],
      ];
      for (const [when, context] of withoutDelegates) {
        await withLibrarian(options, options.create, async (ask) => {
          const response = await ask(outOfDomain.query, context);
          const ids = delegatesOf(response).map(({ to }) => to);
          expect(ids.length === 0, `${when}, it delegated to ${ids.join(", ")}`, { actual: ids });
          expectError(response, ["NOT_FOUND"], when);
        });
      }
    },
  },
  {
    name: "keeps-its-own",
    part: "delegation",
    needs: "outOfDomain",
    title: "CORE-076 keeps a query it can answer, whichever delegates are available",
    async run(options) {
      const { outOfDomain, query } = options;
      if (outOfDomain === undefined) return;
      const context = contextFor(options, {
        availableDelegates: [bystander, outOfDomain.delegate],
      });
      await withLibrarian(options, options.create, async (ask) => {
        const ids = delegatesOf(await ask(query, context)).map(({ to }) => to);
        expect(ids.length === 0, `it delegated its own query to ${ids.join(", ")}`, {
          actual: ids,
        });
      });
    },
  },
];
