import { fileURLToPath } from "node:url";
import { createRouter, type LibrarianDefinition, type Router } from "@constellation/core";
import { createJournal, createSqliteStore, type Journal } from "@constellation/journal";
import { createLibrarian as createK8s } from "@constellation/librarian-k8s";
import { createLibrarian as createSelector } from "@constellation/librarian-workflow-selector";
import { z } from "zod";
import { type Cluster, recordedCluster } from "./recorded-cluster.js";

const catalog = fileURLToPath(new URL("../../incident/workflows", import.meta.url));

/** What the selector proposes, as far as it is used here. */
const proposalSchema = z.object({
  workflowSelection: z.object({
    strategies: z
      .array(
        z.object({
          workflow_id: z.string(),
          rationale: z.string(),
          parameters: z.record(z.string(), z.unknown()),
        }),
      )
      .min(1),
  }),
  approval: z.object({ approvalRequired: z.boolean() }),
});

/** A workflow with its parameters, as the query of the librarian that runs it. */
const orderSchema = z.object({
  workflow: z.literal("increase-memory-limits"),
  parameters: z.looseObject({
    TARGET_RESOURCE_NAME: z.string(),
    CONTAINER: z.string(),
    CURRENT_MEMORY_LIMIT: z.string().regex(/^\d{1,6}Mi$/),
    MEMORY_FACTOR: z.number().min(1).max(4),
  }),
});

/** The mesh of one process, with the journal in a file. */
export function openMesh(
  file: string,
  cluster: Cluster,
): { readonly router: Router; readonly journal: Journal } {
  const journal = createJournal({ store: createSqliteStore({ file }) });
  const router = createRouter({ name: "approval", entry: "operator", timeoutMs: 60_000, journal });
  router.register(createOperator());
  router.register(createRunner(cluster));
  router.register(createSelector({ catalog }));
  router.register(createK8s({ snapshot: recordedCluster }));
  return { router, journal };
}

/** Has a workflow proposed, approved where the policy says so, and run. Everything before the wait is asked once. */
function createOperator(): LibrarianDefinition {
  return {
    id: "operator",
    description: "Fixes what the workflow selector has a workflow for, once a person approves.",
    delegatesTo: ["workflow-selector", "runner"],
    librarian: async (query, context) => {
      const proposed = await context.ask(query, { to: "workflow-selector" });
      const { data: proposal } = proposalSchema.safeParse(proposed.metadata);
      const strategy = proposal?.workflowSelection.strategies[0];
      if (proposal === undefined || strategy === undefined) return proposed;
      const { workflow_id: workflow, rationale, parameters } = strategy;
      let decided = "which needs no approval";
      const isInProduction = parameters.TARGET_RESOURCE_NAMESPACE === "production";
      if (isInProduction || proposal.approval.approvalRequired) {
        const { approved, outcome, by } = await context.approve({
          what: `Run ${workflow} on ${String(parameters.TARGET_RESOURCE_NAME)}`,
          why: isInProduction ? "it changes production" : rationale,
          data: { workflow, parameters },
          by: { teams: ["platform"] },
          excludeRequester: true,
          expiresIn: 3_600_000,
        });
        if (!approved) return { answer: `${workflow} was not run: ${outcome}.` };
        decided = `approved by ${by}`;
      }
      const ran = await context.ask(JSON.stringify({ workflow, parameters }), { to: "runner" });
      if (ran.answer === undefined) return ran;
      return { answer: `${workflow}, ${decided}.\n${ran.answer}` };
    },
  };
}

/** The only one that changes anything: its intent is in the journal before it is called, and it is not called again. */
function createRunner(cluster: Cluster): LibrarianDefinition {
  return {
    id: "runner",
    description: "Runs an approved workflow.",
    effects: "write",
    delegatesTo: [],
    librarian: async (query) => {
      const { data: order } = orderSchema.safeParse(JSON.parse(query));
      if (order === undefined) {
        return { error: { code: "INVALID_QUERY", message: "The workflow cannot be run here." } };
      }
      const { parameters } = order;
      const memory =
        Number.parseInt(parameters.CURRENT_MEMORY_LIMIT, 10) * parameters.MEMORY_FACTOR;
      const { TARGET_RESOURCE_NAME: name, CONTAINER: container } = parameters;
      const change = cluster.setMemory(name, container, `${memory}Mi`);
      return { answer: cluster.isDry ? `Dry run, it would change ${change}` : `Changed ${change}` };
    },
  };
}
