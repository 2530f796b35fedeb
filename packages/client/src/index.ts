export { createClient } from "./create-client.js";
export type {
  ClientAskOptions,
  ClientEvent,
  MeshClient,
  RunState,
  WatchOptions,
} from "./mesh-client.js";
export type { ClientOptions } from "./send.js";
export { ClientError } from "./send.js";
