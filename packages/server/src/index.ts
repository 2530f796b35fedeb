export type { AuthOptions, JwtOptions, TokenOptions, UserClaims } from "./auth/auth-options.js";
export {
  createServer,
  type ListenOptions,
  type MeshServer,
  type ServerAddress,
} from "./create-server.js";
export { type LimitOptions, type ServerLimits, serverLimits } from "./limits.js";
export type {
  EndpointName,
  MountHandler,
  MountInfo,
  RequestLog,
  RunOwner,
  ServerOptions,
} from "./options.js";
export type { KeptRun, RunSummary } from "./runs/kept-run.js";
export { type RunFolder, readRunFolder } from "./runs/run-folder.js";
