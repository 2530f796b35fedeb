export { type ClaimRegister, createQuorumClaims } from "./claim-quorum.js";
export { createTransport } from "./create-transport.js";
export { httpOptionsSchema } from "./http/check-options.js";
export { createHttpTransport } from "./http/create-http-transport.js";
export type { HttpListen, HttpTls, HttpTransportOptions } from "./http/options.js";
export { createInProcessBus, type InProcessBus } from "./in-process-link.js";
export type {
  Link,
  LinkClaims,
  LinkMessage,
  LinkSubscription,
  PingResponder,
  RunningResponder,
} from "./link.js";
export { type ServeLibrariansOptions, serveLibrarians } from "./serve-librarians.js";
export {
  type TransportSettings,
  type TransportTimes,
  tokenForm,
  transportDefaults,
} from "./settings.js";
export type {
  CallCancellation,
  CallHandler,
  CallOutcome,
  PresentLibrarian,
  ProbeHandler,
  ReceivedCall,
  Replica,
  Transport,
  TransportCall,
} from "./transport.js";
