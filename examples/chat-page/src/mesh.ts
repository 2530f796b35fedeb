import { createRouter, type MeshLibrarian } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";

const runbook = `Drain the queue first, then restart billing one replica at a time.

1. Stop the consumers: \`queue drain billing\`
2. Wait until \`queue depth billing\` is 0
3. Restart, and watch the error rate for five minutes`;

/** Orders go to the operator, questions to the runbooks. `createTriageLibrarian` does this for any number of librarians. */
const desk: MeshLibrarian = async (query) =>
  query.toLowerCase().startsWith("restart ")
    ? { delegate: { to: "operator", context: { reason: "It is an order." } } }
    : { delegate: { to: "docs", context: { reason: "It is a question." } } };

/** Writes its answer piece by piece, as a model would. */
const docs: MeshLibrarian = async (_query, { report, signal }) => {
  report("reading runbooks/billing.md");
  for (const piece of runbook.match(/\S+\s*/g) ?? []) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    signal.throwIfAborted();
    report({ text: piece });
  }
  return {
    answer: runbook,
    confidence: 0.9,
    sources: [
      { name: "Runbook of billing", url: "https://runbooks.example.com/billing" },
      { name: "runbooks/billing.md#restart" },
    ],
  };
};

/** Changes nothing before someone has approved it. */
const operator: MeshLibrarian = async (_query, { approve, step, report }) => {
  const { approved, outcome } = await approve({
    what: "Restart billing in production?",
    why: "It changes production.",
    data: { service: "billing", replicas: 3 },
  });
  if (!approved) return { answer: `Nothing was changed: the restart was ${outcome}.` };
  report("restarting");
  await step("restart", () => "restarted");
  return { answer: "Billing is restarted: 3 of 3 replicas are ready." };
};

/** A mesh that needs no model, and nothing else that is not here. */
export function openMesh() {
  const journal = createJournal({ store: createMemoryStore() });
  const router = createRouter({ entry: "desk", journal });
  router.register({ id: "desk", description: "Chooses who answers.", librarian: desk });
  router.register({
    id: "docs",
    description: "Answers from runbooks: releases, backups, certificates.",
    librarian: docs,
  });
  router.register({
    id: "operator",
    description: "Restarts services in production, once someone has approved it.",
    effects: "write",
    librarian: operator,
  });
  return { router, journal };
}
