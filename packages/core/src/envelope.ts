export { askOptionsOf, type CallAuthority } from "./envelope/ask-options.js";
export { type CallEnvelope, decodeCall, type IncomingCall } from "./envelope/call-envelope.js";
export { type OpenCallOptions, type OutgoingCall, openCall } from "./envelope/outgoing-call.js";
export { type OutgoingCallOptions, outgoingCallFields } from "./envelope/outgoing-options.js";
export {
  decodeReply,
  encodeReply,
  type ReplyEnvelope,
  refuseCall,
  replyTo,
} from "./envelope/reply-envelope.js";
export { withBaggage } from "./tracing/baggage.js";
export {
  type CallSpan,
  type CallSpanDetails,
  type IncomingTrace,
  openServerSpan,
} from "./tracing/call-spans.js";
