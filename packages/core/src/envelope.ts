export {
  type CallEnvelope,
  decodeCall,
  encodeCall,
  type IncomingCall,
} from "./envelope/call-envelope.js";
export { decodeReply, encodeReply, type ReplyEnvelope } from "./envelope/reply-envelope.js";
