export { createAgentCard } from "./server/agent-card.js";
export {
  type A2AHandler,
  createA2AHandler,
  type RequestInfo,
} from "./server/create-a2a-handler.js";
export {
  type A2AHandlerOptions,
  type AgentCardOptions,
  a2aHandlerDefaults,
} from "./server/options.js";
