import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createRouter, type Router } from "@constellation/core";
import { createRestateJournal, type RestateJournal } from "@constellation/restate";

/**
 * The mesh of one process. Those that only ask have it too: they know the librarians, and call none.
 *
 * @param log - File with a line for each call of a librarian.
 */
export function openMesh(
  ingress: string,
  log: string,
): { readonly router: Router; readonly journal: RestateJournal } {
  const journal = createRestateJournal({ ingress });
  const router = createRouter({ name: "durable", entry: "operator", timeoutMs: 60_000, journal });
  const note = (what: string) => appendFileSync(log, `${what}\n`);
  router.register({
    id: "operator",
    description: "Finds out what is wrong, and has it fixed.",
    librarian: async (query, { ask }) => {
      const cause = await ask(query, { to: "diagnosis" });
      const fixed = await ask(`${cause.answer}`, { to: "fixer" });
      return { answer: `${cause.answer} ${fixed.answer}`, confidence: 1 };
    },
  });
  router.register({
    id: "diagnosis",
    description: "Takes its time to find a cause.",
    librarian: async () => {
      note("diagnosis began");
      await sleep(1_500);
      note("diagnosis ended");
      return { answer: "checkout has no memory.", confidence: 1 };
    },
  });
  router.register({
    id: "fixer",
    description: "Restarts what hangs, once a person approves.",
    librarian: async (_query, { approve, step }) => {
      const { approved, by } = await approve({ what: "Restart checkout" });
      if (!approved) return { answer: "Nothing was done.", confidence: 1 };
      await step("restart", () => note("restarted"));
      return { answer: `Restarted, approved by ${by}.`, confidence: 1 };
    },
  });
  return { router, journal };
}
