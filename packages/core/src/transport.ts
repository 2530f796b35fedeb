export { createTransport } from "./transport/create-transport.js";
export { createHttpTransport } from "./transport/http/create-http-transport.js";
export type { HttpListen, HttpTls, HttpTransportOptions } from "./transport/http/options.js";
export { createInProcessBus, type InProcessBus } from "./transport/in-process-link.js";
export type {
  Link,
  LinkMessage,
  LinkPresence,
  LinkSubscription,
} from "./transport/link.js";
export { type ServeLibrariansOptions, serveLibrarians } from "./transport/serve-librarians.js";
export {
  type TransportSettings,
  type TransportTimes,
  tokenForm,
  transportDefaults,
} from "./transport/settings.js";
export type {
  CallHandler,
  PresentLibrarian,
  ReceivedCall,
  Replica,
  Transport,
  TransportCall,
} from "./transport/transport.js";
