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
} from "./contract/ai-client.js";
export type { Allow, AllowList } from "./contract/allow.js";
export type {
  AnswerEstimate,
  AnswerEstimates,
  AnswerProbe,
  CanAnswer,
  ProbeOptions,
  QueryVector,
} from "./contract/answer-estimate.js";
export type { Budget } from "./contract/budget.js";
export type {
  CallLedger,
  HopGrant,
  ModelCallRequest,
  ModelCallReservation,
  ModelCallUsage,
} from "./contract/call-ledger.js";
export type { PathEntry } from "./contract/call-path.js";
export type { Context, DelegationOptions, HopContext } from "./contract/context.js";
export type { Health, LibrarianDefinition, MeshAtHealth } from "./contract/definition.js";
export {
  ErrorCode,
  type ErrorCodeEntry,
  type ErrorReason,
  errorCodes,
  errorReasons,
  isErrorCode,
} from "./contract/error-code.js";
export type { ErrorDetails, ErrorInfo } from "./contract/error-info.js";
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
export { mergeStrategyNames } from "./contract/merge-strategy.js";
export { MeshError, type MeshErrorOptions } from "./contract/mesh-error.js";
export type { MeshMembers, MeshTransport } from "./contract/mesh-transport.js";
export type {
  CallerObservation,
  LibrarianObservation,
  Observation,
} from "./contract/observation.js";
export { maxTimerMs } from "./contract/option-table.js";
export type { Progress } from "./contract/progress.js";
export type {
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
export type {
  Branch,
  DelegateRequest,
  MergeFunction,
  MergeOptions,
  MergeStrategy,
  MissingBranch,
  Quorum,
  Response,
  ResponseFields,
  ResponseMetadata,
  Source,
} from "./contract/response.js";
export { responseLimits } from "./contract/response-limits.js";
export type { LibrarianServices, RouteHandler, ServiceHost } from "./contract/services.js";
export {
  formatTraceparent,
  isTraceContext,
  parseTraceparent,
  type TraceContext,
} from "./contract/trace-context.js";
export type { User, UserLimits } from "./contract/user.js";
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
export type {
  FailureRecord,
  ModelCallRecord,
  ModelFailureRecord,
} from "./events/model-call-record.js";
export { printMermaid, printTree } from "./events/print-record.js";
export type { HopContent, ProgressRecord, RecordOptions } from "./events/record-content.js";
export {
  type FanOutRecord,
  type HopRecord,
  type RunRecord,
  recordOf,
} from "./events/run-record.js";
export { printUsage, type UsageRecord } from "./events/usage.js";
export type { MeshProblem, MeshReport } from "./registry/check-mesh.js";
export type { AskOptions } from "./router/ask-options.js";
export {
  createRouter,
  journalHostOf,
  type Router,
  type RouterLoad,
} from "./router/create-router.js";
export type { RouterProbeOptions } from "./router/hop/probe.js";
export type {
  CloseOptions,
  HealthReport,
  LibrarianHealth,
  LifecycleOptions,
} from "./router/lifecycle.js";
export type { ListOptions, OfferedServices } from "./router/list-options.js";
export { type RouterOptions, routerDefaults } from "./router/run/router-options.js";
export type { Run } from "./router/run.js";
export { attributes } from "./tracing/attributes.js";
export { withBaggage } from "./tracing/baggage.js";
export {
  type CallSpan,
  type CallSpanDetails,
  type IncomingTrace,
  openClientSpan,
  openServerSpan,
} from "./tracing/call-spans.js";
export { spanEvents } from "./tracing/span-events.js";
export {
  cancelledError,
  deadlineError,
  throwIfAborted,
  toAbortError,
} from "./waits/abort-error.js";
export { onAbort } from "./waits/on-abort.js";
export { type RemainingOptions, remainingMs } from "./waits/remaining-ms.js";
export { type WaitLimits, withDeadline } from "./waits/with-deadline.js";
