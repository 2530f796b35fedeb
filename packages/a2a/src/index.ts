export {
  createA2ALibrarian,
  createA2ALibrarian as createLibrarian,
} from "./librarian/a2a-librarian.js";
export {
  type A2ALibrarianOptions,
  a2aLibrarianDefaults,
  optionsSchema,
} from "./librarian/options.js";
export { createAgentCard } from "./server/agent-card.js";
export {
  type A2AHandler,
  createA2AHandler,
  type RequestInfo,
} from "./server/create-a2a-handler.js";
export type { AnswerPart } from "./server/message.js";
export {
  type A2AHandlerOptions,
  type AgentCardOptions,
  a2aHandlerDefaults,
  type ProtocolVersion,
} from "./server/options.js";
