export { createDocsLibrarian, createDocsLibrarian as createLibrarian } from "./docs-librarian.js";
export {
  type NavigatorFinding,
  type NavigatorRule,
  navigatorRules,
} from "./navigator/finding.js";
export type { KnowledgeBaseView, KnowledgeSection } from "./navigator/knowledge-base-view.js";
export { createMemoryKnowledgeBase } from "./navigator/memory-knowledge-base.js";
export type {
  NavigatorConfidence,
  NavigatorResponse,
  NavigatorSource,
} from "./navigator/navigator-response.js";
export {
  navigatorJsonSchema,
  navigatorResponseSchema,
} from "./navigator/navigator-response.schema.js";
export { confidenceNumbers, type ToResponseOptions, toResponse } from "./navigator/to-response.js";
export {
  type NavigatorValidation,
  type NavigatorValidationOptions,
  validateNavigatorResponse,
} from "./navigator/validate-navigator-response.js";
export { type DocsLibrarianOptions, docsLibrarianDefaults, optionsSchema } from "./options.js";
