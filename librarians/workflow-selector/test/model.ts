import type { Context, Response } from "@constellation/core";
import { type AIScript, type ScriptedAI, scriptedAI, testContext } from "@constellation/testing";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import type { WorkflowSelection } from "../src/index.js";
import type { WorkflowSelectorOptions } from "../src/options.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";
import { entry } from "./workflows.js";

/** An incident as a monitoring system sends it. */
export const signal = {
  signal_type: "OOMKilled",
  severity: "high",
  signal_source: "prometheus-adapter",
  environment: "production",
  priority: "P0",
  risk_tolerance: "low",
  business_category: "payments",
  namespace: "production",
  resource_kind: "deployment",
  resource_name: "my-app",
  error_message: "Container killed due to OOM",
};

const labels = {
  environment: ["production", "staging"],
  priority: ["P0", "P1"],
  risk_tolerance: "low",
  business_category: "*",
};
const target = ["TARGET_RESOURCE_NAME", "TARGET_NAMESPACE"].map((name) => ({
  name,
  type: "string",
  required: true,
}));
const kind = {
  name: "TARGET_RESOURCE_KIND",
  type: "string",
  required: true,
  enum: ["Deployment", "StatefulSet", "DaemonSet"],
};

/** The workflows of the seed's examples, and one that the filter of {@link signal} hides. */
export const workflows = [
  entry("oomkill-scale-down", {
    description: "Reduces replica count for deployments experiencing OOMKilled",
    labels,
    parameters: [
      kind,
      ...target,
      { name: "SCALE_TARGET_REPLICAS", type: "integer", required: true, min: 0, max: 100 },
    ],
  }),
  entry("oomkill-increase-memory", {
    description: "Increases the memory limits of deployments whose containers are OOMKilled",
    labels,
    parameters: [
      kind,
      ...target,
      { name: "MEMORY_LIMIT_NEW", type: "string", required: true, pattern: "^[0-9]+(Mi|Gi)$" },
    ],
  }),
  entry("oomkill-optimize-application", {
    description: "Restarts and profiles an application that is OOMKilled because of a memory leak",
    labels,
    parameters: [kind, ...target],
  }),
  entry("oomkill-delete-everything", {
    description: "Deletes deployments that are OOMKilled",
    labels: { ...labels, risk_tolerance: "high" },
  }),
];

/** What a model replies in the analysis. */
export const analysis = (more: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    root_cause_analysis: {
      summary: "Node memory exhaustion; users see errors, so it is critical.",
      severity: "critical",
      contributing_factors: ["several pods share the node"],
    },
    signal_type: "OOMKilled",
    target_resource: "production/Deployment/my-app",
    component: "deployment",
    ...more,
  });

/** The seed's Example 1, its brace repaired. */
export const example1 = {
  analysis_summary: "Deployment my-app in production namespace experiencing OOMKilled events.",
  root_cause_assessment: "Node memory exhaustion due to multiple pods on worker-2.",
  strategies: [
    {
      workflow_id: "oomkill-scale-down",
      version: "1.0.0",
      confidence: 0.85,
      rationale: "Scaling down my-app from 5 to 3 replicas will reduce memory pressure.",
      estimated_risk: "low",
      parameters: {
        TARGET_RESOURCE_KIND: "Deployment",
        TARGET_RESOURCE_NAME: "my-app",
        TARGET_NAMESPACE: "production",
        SCALE_TARGET_REPLICAS: 3,
      },
    },
  ],
  warnings: ["Scaling down will reduce capacity by 40%"],
  context_used: {
    cluster_state: "Node worker-2 at 95% memory",
    resource_availability: "Other nodes have capacity",
    blast_radius: "Single deployment",
  },
};

/** What came of asking the librarian with a scripted model. */
export interface Asked {
  readonly response: Response;
  readonly selection: WorkflowSelection;
  readonly ai: ScriptedAI;
  readonly context: ReturnType<typeof testContext>;
}

/** Asks the librarian, which talks with a model that plays a script. */
export async function askWith(
  script: AIScript,
  {
    query = signal,
    options = {},
    context: more = {},
  }: {
    readonly query?: unknown;
    readonly options?: Partial<WorkflowSelectorOptions>;
    readonly context?: Partial<Context> & { readonly answers?: Readonly<Record<string, Response>> };
  } = {},
): Promise<Asked> {
  const ai = scriptedAI(script);
  const context = testContext({ ai, ...more });
  const { librarian } = createWorkflowSelectorLibrarian({
    ...(options.store === undefined && { store: createMemoryCatalog(workflows) }),
    ...options,
  });
  const response = await librarian(
    typeof query === "string" ? query : JSON.stringify(query),
    context,
  );
  return {
    response,
    selection: response.metadata?.workflowSelection as WorkflowSelection, // what the librarian puts there
    ai,
    context,
  };
}

/** All that a call shows the model. */
export function toldIn(ai: ScriptedAI, call: number): string {
  const { request } = ai.calls[call] ?? {};
  const prompt = request?.prompt ?? "";
  return [
    request?.system ?? "",
    ...(typeof prompt === "string" ? [prompt] : prompt.map(({ text }) => text)),
  ].join("\n");
}

/** Example 1 as a reply. */
export const selected = JSON.stringify(example1);

/** Example 1 as a reply, with other fields in its strategy. */
export const withStrategy = (more: object) =>
  JSON.stringify({ ...example1, strategies: [{ ...example1.strategies[0], ...more }] });

/** The search as the librarian reports it. */
export const searchIn = ({ metadata }: Response) =>
  metadata?.workflowSearch as { readonly query: Record<string, unknown> }; // what the librarian puts there

/** What a librarian of the cluster says. */
export const facts = [
  {
    signal_type: "OOMKilled",
    severity: "high",
    target_resource: "production/Pod/my-app-1",
    owner: "production/Deployment/my-app",
    environment: "production",
    priority: "P0",
  },
];
