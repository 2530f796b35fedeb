import type { Context } from "../contract/context.js";
import { delegatesOf } from "../contract/delegates-of.js";
import type { Delegate } from "../contract/librarian-info.js";
import { contextFor, expect, expectError, withLibrarian } from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";

/** Available, first in the list, and of no use for anything a test would ask. */
const bystander: Delegate = {
  id: "conformance-bystander",
  description: "Gives the tides of seas that dried up.",
  capabilities: ["conformance.bystander"],
};

/** To whom a librarian delegates. */
export const delegationChecks: readonly LibrarianCheck[] = [
  {
    name: "delegates",
    part: "delegation",
    needs: "foreign",
    title:
      "CORE-076 CORE-071 delegates a query outside its domain to the delegate that fits, with a reason",
    async run(options) {
      const { foreign } = options;
      if (foreign === undefined) return;
      const context = contextFor(options, {
        availableDelegates: [bystander, foreign.delegate],
      });
      await withLibrarian(options, options.create, async (ask) => {
        const response = await ask(foreign.query, context);
        const delegates = delegatesOf(response);
        const ids = delegates.map(({ to }) => to);
        expect(ids.length > 0, "it did not delegate a query outside its domain", {
          actual: response,
        });
        expect(
          ids.every((id) => id === foreign.delegate.id),
          `it delegated to ${ids.join(", ")}; expected ${foreign.delegate.id}`,
          { actual: ids, expected: [foreign.delegate.id] },
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
    needs: "foreign",
    title: "CORE-076 CORE-071 answers NOT_FOUND when no fitting delegate is available",
    async run(options) {
      const { foreign } = options;
      if (foreign === undefined) return;
      const withNobody: readonly (readonly [string, Context | undefined])[] = [
        ["without delegates", contextFor(options, { availableDelegates: [] })],
        ["with an empty context", { ...options.context, availableDelegates: undefined }],
      ];
      for (const [when, context] of withNobody) {
        await withLibrarian(options, options.create, async (ask) => {
          const response = await ask(foreign.query, context);
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
    needs: "foreign",
    title: "CORE-076 keeps a query it can answer, whichever delegates are available",
    async run(options) {
      const { foreign, query } = options;
      if (foreign === undefined) return;
      const context = contextFor(options, {
        availableDelegates: [bystander, foreign.delegate],
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
