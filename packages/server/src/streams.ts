export type { AGUIEvent, AGUIInterrupt, AGUIOptions } from "./streams/ag-ui.js";
export type { HopState } from "./streams/hop-states.js";
export {
  type SSEOptions,
  type StreamFormat,
  toAGUIStream,
  toSSE,
  toUIMessageStream,
} from "./streams/to-stream.js";
export type {
  GivenAnswer,
  RunMetadata,
  ShownError,
  ShownWaiting,
  UIMessageOptions,
  UIMessagePart,
} from "./streams/ui-messages.js";
