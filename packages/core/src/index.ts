export type {
  AIAnalysis,
  AIAnalysisRequest,
  AIClient,
  AICompletion,
  AIMessage,
  AIPrice,
  AIRequest,
  AIStopReason,
  AITool,
  AIToolRequest,
  AIUsage,
  Budget,
} from "./contract/ai-client.js";
export type {
  AnswerEstimate,
  AnswerEstimates,
  AnswerProbe,
  CanAnswer,
  ProbeOptions,
  QueryVector,
} from "./contract/answer-estimate.js";
export type { Context, DelegationOptions, HopContext } from "./contract/context.js";
export type {
  Health,
  LibrarianDefinition,
  LibrarianServices,
  MeshAtHealth,
  RouteHandler,
  ServiceHost,
} from "./contract/definition.js";
export {
  ErrorCode,
  type ErrorCodeEntry,
  type ErrorDetails,
  type ErrorInfo,
  type ErrorReason,
  errorCodes,
  errorReasons,
  isErrorCode,
} from "./contract/error-code.js";
export { type InputLimits, inputLimits } from "./contract/input-limits.js";
export type {
  ContinuedRun,
  DecisionRecord,
  HopStart,
  JournaledHop,
  JournaledRequest,
  JournaledRun,
  JournalHost,
  MeshJournal,
  RecordedAnswer,
  RunEnding,
  RunJournal,
  WaitRequest,
} from "./contract/journal.js";
export type { Librarian, MeshLibrarian } from "./contract/librarian.js";
export type {
  Delegate,
  Effects,
  LibrarianInfo,
  UnavailableDelegate,
} from "./contract/librarian-info.js";
export { MeshError, type MeshErrorOptions } from "./contract/mesh-error.js";
export type { MeshMembers, MeshTransport } from "./contract/mesh-transport.js";
export { maxTimerMs } from "./contract/option-table.js";
export type {
  CallLedger,
  HopGrant,
  ModelCallRequest,
  ModelCallReservation,
  ModelCallUsage,
  PathEntry,
  RemoteCall,
  RemoteCaller,
  RemoteCallOptions,
  RemoteHop,
  RemoteReport,
  RemoteRun,
  SpentRecord,
  UnsettledLibrarian,
} from "./contract/remote-call.js";
export {
  type BreakerOptions,
  type BreakerState,
  type CachedResponse,
  type CacheOptions,
  type HedgeOptions,
  type ResponseCache,
  type RetryOptions,
  resilienceDefaults,
} from "./contract/resilience.js";
export {
  type Branch,
  type DelegateRequest,
  type MergeFunction,
  type MergeOptions,
  type MergeStrategy,
  type MissingBranch,
  mergeStrategyNames,
  type Progress,
  type Quorum,
  type Response,
  type ResponseFields,
  type ResponseMetadata,
  type Source,
} from "./contract/response.js";
export type { CallerObservation, LibrarianObservation, Observation } from "./contract/take-data.js";
export type { RunThread, Thread, ThreadTurn } from "./contract/thread.js";
export {
  formatTraceparent,
  isTraceContext,
  parseTraceparent,
  type TraceContext,
} from "./contract/trace-context.js";
export { responseLimits } from "./contract/unknown-value.js";
export type { Allow, AllowList, User, UserLimits } from "./contract/user.js";
export { type ResponseValidation, validateResponse } from "./contract/validate-response.js";
export type {
  Approval,
  ApprovalRequest,
  ArrivedEvent,
  EventOptions,
  QuestionOptions,
  StepOptions,
  StepWork,
  UserAnswer,
  WaitAnswer,
  Waiting,
  WaitingKind,
} from "./contract/waiting.js";
export type { MeshListener } from "./events/emitter.js";
export {
  type AgainRecord,
  type HopPlace,
  type MeshEvent,
  type MeshEventName,
  type MeshEvents,
  type ModelContent,
  type ModelMethod,
  meshEventNames,
  type Outcome,
  type SharedFrom,
  type StopReason,
  type Via,
} from "./events/events.js";
export {
  type FailureRecord,
  type FanOutRecord,
  type HopRecord,
  type ModelCallRecord,
  type ModelFailureRecord,
  type RunRecord,
  recordOf,
} from "./events/run-record.js";
export type { UsageRecord } from "./events/usage.js";
export type { MeshProblem, MeshReport } from "./registry/check-mesh.js";
export type { AskOptions } from "./router/ask-options.js";
export {
  createRouter,
  journalHostOf,
  type Router,
  type RouterLoad,
} from "./router/create-router.js";
export type { ListOptions, OfferedServices } from "./router/hop/list-options.js";
export type { RouterProbeOptions } from "./router/hop/probe.js";
export type {
  CloseOptions,
  HealthReport,
  LibrarianHealth,
  LifecycleOptions,
} from "./router/lifecycle.js";
export type { Run } from "./router/perform-run.js";
export { type RouterOptions, routerDefaults } from "./router/run/router-options.js";
export { attributes } from "./tracing/attributes.js";
export { spanEvents } from "./tracing/span-events.js";
export { onAbort } from "./waits/on-abort.js";
export {
  cancelledError,
  deadlineError,
  type RemainingOptions,
  remainingMs,
  throwIfAborted,
  toAbortError,
  type WaitLimits,
  withDeadline,
} from "./waits/with-deadline.js";
