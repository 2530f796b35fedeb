export { startChatServer } from "./testing/chat-server.js";
export { startMessagesServer } from "./testing/messages-server.js";
export type { ModelServer, ModelServerOptions } from "./testing/model-server.js";
export type {
  AnswerUsage,
  ModelAnswer,
  ModelScript,
  ModelStep,
  RecordedRequest,
} from "./testing/model-step.js";
