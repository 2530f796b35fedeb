export { type NavigatorFinding, type NavigatorRule, navigatorRules } from "./finding.js";
export type { KnowledgeBaseView, KnowledgeSection } from "./knowledge-base-view.js";
export { createMemoryKnowledgeBase } from "./knowledge-base-view.js";
export type {
  NavigatorConfidence,
  NavigatorResponse,
  NavigatorSource,
} from "./navigator-response.js";
export {
  navigatorJsonSchema,
  navigatorResponseSchema,
  navigatorSourceSchema,
} from "./navigator-response.schema.js";
export type { PatternKind } from "./patterns/pattern.js";
export { navigatorLimits } from "./response-size.js";
export { statesLack } from "./stated-lack.js";
export { confidenceNumbers, type ToResponseOptions, toResponse } from "./to-response.js";
export {
  type NavigatorValidation,
  type NavigatorValidationOptions,
  validateNavigatorResponse,
} from "./validate-navigator-response.js";
