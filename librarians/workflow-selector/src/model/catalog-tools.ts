import type { AITool } from "@constellation/core";
import { z } from "zod";
import type { ProvidedWorkflow } from "../reply/selection.js";
import {
  type RankedWorkflow,
  toView,
  type WorkflowSearch,
} from "../search/search-workflow-catalog.js";

/** What a search gave, best first, and how many matched. */
export interface Ranking {
  readonly ranked: readonly RankedWorkflow[];
  readonly total: number;
}

/** The workflows that a model was shown: only these can be selected. */
export interface Offer {
  /** What our code searched for. */
  readonly first: WorkflowSearch;
  /** For the step that selects, and no earlier one. */
  readonly tools: readonly AITool[];
  /** All that were shown so far. */
  provided(): readonly ProvidedWorkflow[];
  find(id: string, version: string): RankedWorkflow | undefined;
}

/** Maximum number of workflows that can be shown in one conversation. */
const maxShown = 200;

/**
 * Offers the workflows of a search, and tools to search again: with other words, and with the same filter. What
 * the filter hides is not found.
 *
 * @param search - Searches for other words by the labels, facts and limits of the incident.
 */
export function offerWorkflows(first: Ranking, search: (words: string) => Ranking): Offer {
  const shown = new Map<string, RankedWorkflow>();
  const show = ({ ranked, total }: Ranking): WorkflowSearch => {
    const workflows = ranked.filter((one) => {
      const key = toKey(one.workflow.id, one.workflow.version);
      if (!shown.has(key) && shown.size < maxShown) shown.set(key, one);
      return shown.has(key);
    });
    return { workflows: workflows.map(toView), total_results: total };
  };
  const find: Offer["find"] = (id, version) => shown.get(toKey(id, version));

  const searchTool: AITool = {
    name: "search_workflow_catalog",
    description:
      "Searches the workflow catalog for other words. Gives id, version, description and confidence; the business context is filtered by already.",
    input: z.object({ query: z.string().min(1).max(500) }),
    async run(input) {
      const { query } = input as { readonly query: string }; // the schema's output
      return JSON.stringify(show(search(query)));
    },
  };
  const getTool: AITool = {
    name: "get_workflow",
    description: "Gives the parameters of a workflow that a search has given.",
    input: z.object({ workflow_id: z.string().max(255), version: z.string().max(50) }),
    async run(input) {
      const { workflow_id, version } = input as {
        readonly workflow_id: string;
        readonly version: string;
      }; // the schema's output
      const found = find(workflow_id, version);
      if (found === undefined) return "not found";
      return JSON.stringify({ ...toView(found), parameters: found.workflow.parameters });
    },
  };
  return {
    first: show(first),
    tools: [searchTool, getTool],
    find,
    provided: () =>
      [...shown.values()].map(({ workflow }) => ({
        workflow_id: workflow.id,
        version: workflow.version,
        parameters: workflow.parameters,
      })),
  };
}

function toKey(id: string, version: string): string {
  return JSON.stringify([id, version]);
}
