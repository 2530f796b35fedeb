export { type CallAuthority, toAskOptions } from "./envelope/ask-options.js";
export { withBaggage } from "./envelope/baggage.js";
export { type CallEnvelope, decodeCall, type IncomingCall } from "./envelope/call-envelope.js";
export {
  type CallSpan,
  type CallSpanDetails,
  type IncomingTrace,
  openServerSpan,
} from "./envelope/call-spans.js";
export {
  createLibrarianFilter,
  hiddenLibrarian,
  type LibrarianFilter,
} from "./envelope/hidden-librarians.js";
export { type OpenCallOptions, type OutgoingCall, openCall } from "./envelope/outgoing-call.js";
export { type OutgoingCallOptions, outgoingCallFields } from "./envelope/outgoing-options.js";
export {
  decodeReply,
  encodeReply,
  type ReplyEnvelope,
  refuseCall,
  replyTo,
} from "./envelope/reply-envelope.js";
