export type { ModelFailure } from "./model/ask-model.js";
export {
  type DelegationDecision,
  type DelegationStrategy,
  delegationDecisionSchema,
  type RefinedQuery,
} from "./model/delegation-decision.js";
export { type QueryAnalysis, queryAnalysisSchema } from "./model/query-analysis.js";
export { optionsSchema, type TriageLibrarianOptions, triageLibrarianDefaults } from "./options.js";
export {
  createTriageLibrarian,
  createTriageLibrarian as createLibrarian,
} from "./triage-librarian.js";
export type { TriageReport, TriageTarget } from "./triage-report.js";
