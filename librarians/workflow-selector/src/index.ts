export {
  type Catalog,
  type CatalogProblem,
  type CatalogStore,
  describeProblem,
} from "./catalog/catalog.js";
export {
  createFileCatalog,
  type FileCatalogOptions,
  fileCatalogDefaults,
} from "./catalog/file-catalog.js";
export { createMemoryCatalog } from "./catalog/memory-catalog.js";
export type {
  Labels,
  ParameterType,
  Workflow,
  WorkflowDescription,
  WorkflowParameter,
} from "./catalog/workflow.js";
export { factSchema } from "./incident/fact.schema.js";
export type { LabelNames } from "./incident/read-alerts.js";
export {
  optionsSchema,
  type WorkflowSelectorOptions,
  workflowSelectorDefaults,
} from "./options.js";
export { type Outcome, type OutcomeStore, outcomeSchema } from "./outcomes/outcome.js";
export { createOutcomes, openOutcomes } from "./outcomes/outcomes.js";
export { createOutcomeProfile } from "./outcomes/prior.js";
export {
  type AssessedSeverity,
  assessSeverity,
  type SeverityFacts,
} from "./policy/assess-severity.js";
export type { EnvironmentNames } from "./policy/environment.js";
export type { WorkflowRisk } from "./policy/evidence.js";
export {
  type Approval,
  type ApprovalFacts,
  type ApprovalLimits,
  approvalDefaults,
  toApproval,
} from "./policy/policy.js";
export type { ApprovalWait } from "./proposal/wait-for-approval.js";
export { invalidReply } from "./reply/invalid-reply.js";
export { type ParsedReply, parseReply } from "./reply/parse-reply.js";
export type {
  ParameterValue,
  ProvidedWorkflow,
  ReplyIssue,
  Risk,
  Severity,
  Strategy,
  WorkflowSelection,
} from "./reply/selection.js";
export {
  type ParameterOptions,
  type ParameterValidation,
  systemParameters,
  validateParameters,
} from "./reply/validate-parameters.js";
export { kubernautProfile } from "./search/kubernaut-profile.js";
export type { QueryLabels } from "./search/labels.js";
export { type Candidate, defaultProfile, type ScoringProfile } from "./search/profile.js";
export type { CatalogQuery, Observed } from "./search/query.js";
export { readWorkflowSearch } from "./search/read-workflow-view.js";
export {
  getWorkflow,
  type SearchOptions,
  searchWorkflowCatalog,
  type WorkflowParameters,
  type WorkflowSearch,
  type WorkflowView,
} from "./search/search-workflow-catalog.js";
export { type AlertHandlerOptions, createAlertHandler } from "./service/alert-handler.js";
export { type CatalogServiceOptions, createCatalogTools } from "./service/catalog-tools.js";
export { createWorkflowHandler, type RequestHandler } from "./service/workflow-handler.js";
export {
  createWorkflowSelectorLibrarian,
  createWorkflowSelectorLibrarian as createLibrarian,
} from "./workflow-selector.js";
