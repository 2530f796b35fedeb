export type { AuthOptions, JwtOptions, TokenOptions, UserClaims } from "./auth/auth-options.js";
export { createHandler, type MeshHandler } from "./create-handler.js";
export {
  createServer,
  type ListenOptions,
  type MeshServer,
  type ServerAddress,
} from "./create-server.js";
export { catchRejections, type UnhandledRejection } from "./faults/catch-rejections.js";
export type { CallerInfo } from "./http/caller.js";
export { type LimitOptions, type ServerLimits, serverLimits } from "./limits.js";
export type {
  EndpointName,
  MountHandler,
  MountInfo,
  RequestLog,
  RunOwner,
  ServerOptions,
  WebhookOptions,
} from "./options.js";
export {
  countRuns,
  type GroupFigures,
  type RunFigures,
  type RunStats,
  type StatsGroup,
} from "./runs/count-runs.js";
export type {
  DatasetPlace,
  Feedback,
  KeptRun,
  LibrarianShare,
  ModelShare,
  RunLabels,
  RunSummary,
} from "./runs/kept-run.js";
export { conditionsIn, matchesRun, type RunConditions } from "./runs/match-run.js";
export {
  openStoredRuns,
  readStoredRuns,
  type StoredRuns,
  type StoredRunsOptions,
  type WritableStoredRuns,
} from "./runs/stored-runs.js";
