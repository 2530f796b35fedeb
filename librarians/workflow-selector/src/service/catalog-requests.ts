import { z } from "zod";
import type { CatalogStore } from "../catalog/catalog.js";
import {
  getWorkflow,
  type SearchOptions,
  searchWorkflowCatalog,
  type WorkflowParameters,
  type WorkflowSearch,
} from "../search/search-workflow-catalog.js";

const label = z.string().max(255).optional();
const labels = {
  environment: label.describe(
    "Environment of the incident, such as `production`. Default: any, with risks limited as in production.",
  ),
  priority: label.describe("Priority, P0 to P3."),
  risk_tolerance: label.describe("Risk tolerance: low, medium or high."),
  business_category: label.describe("Business category of what is affected."),
};
const filter = {
  ...labels,
  labels: z
    .record(z.string().max(255), z.string().max(255))
    .optional()
    .describe("Further labels that must match."),
  facts: z
    .record(z.string().max(255), z.string().max(255))
    .optional()
    .describe("Known facts, which the prerequisites of workflows are checked against."),
};

/** What a search from elsewhere may ask. */
export const searchRequestSchema = z.strictObject({
  query: z.string().max(1_000).optional().describe("The same as `incident_type`."),
  incident_type: z
    .string()
    .max(1_000)
    .optional()
    .describe("What happened: a signal's name, or a sentence. Default: every workflow."),
  ...filter,
  min_confidence: z.number().min(0).max(1).optional().describe("Minimum confidence, 0 to 1."),
  max_results: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe("Maximum number of workflows to return, 1 to 1,000, default 10."),
  offset: z.number().int().min(0).optional().describe("Offset of the first workflow, default 0."),
});

/** What may be asked about one workflow. */
export const getRequestSchema = z.strictObject({
  workflow_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Id of the workflow, as a search gave it."),
  playbook_id: z.string().min(1).max(255).optional().describe("The same as `workflow_id`."),
  version: z.string().max(50).optional().describe("Its version. Default: the latest."),
  ...filter,
});

const defaultResults = 10;

/** A search of the catalog as it is now: what {@link searchWorkflowCatalog} gives for the same query. */
export async function searchFor(
  store: CatalogStore,
  request: z.infer<typeof searchRequestSchema>,
  { signal, ...options }: SearchOptions & { readonly signal?: AbortSignal },
): Promise<WorkflowSearch> {
  const {
    query,
    incident_type = query,
    facts,
    min_confidence,
    max_results = defaultResults,
    offset,
  } = request;
  return searchWorkflowCatalog(
    await store.read(signal),
    { incident_type, labels: toLabels(request), facts, min_confidence, max_results, offset },
    options,
  );
}

/** The parameters of a workflow; undefined for one that is not there or that the filter hides. */
export async function workflowFor(
  store: CatalogStore,
  request: z.infer<typeof getRequestSchema>,
  { signal, ...options }: SearchOptions & { readonly signal?: AbortSignal },
): Promise<WorkflowParameters | undefined> {
  const { playbook_id = "", workflow_id = playbook_id, version, facts } = request;
  const query = { labels: toLabels(request), facts };
  return getWorkflow(await store.read(signal), { workflow_id, version }, query, options);
}

function toLabels(request: z.infer<z.ZodObject<typeof filter>>) {
  const { environment, priority, risk_tolerance, business_category } = request;
  return { ...request.labels, environment, priority, risk_tolerance, business_category };
}
