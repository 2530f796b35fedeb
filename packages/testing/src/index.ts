export {
  type AIMethod,
  type AIReply,
  type AIScript,
  type AIStep,
  type AIToolCall,
  aiFailure,
  aiRateLimit,
  aiRefusal,
  aiTruncation,
} from "./ai-script.js";
export { chaos, type FlakyOptions } from "./chaos.js";
export {
  type AskedQuery,
  type TestContext,
  type TestContextOptions,
  testContext,
} from "./context.js";
export { type EventLog, type EventSource, recordEvents } from "./event-log.js";
export type { LibrarianCheck } from "./librarian-check.js";
export {
  type CheckResult,
  checkLibrarian,
  librarianChecks,
} from "./librarian-checks.js";
export { itBehavesLikeALibrarian, type SuiteRunner } from "./librarian-suite.js";
export { type MalformedKind, malformedKinds } from "./malformed.js";
export { ScriptError } from "./script-error.js";
export { type AICall, type ScriptedAI, scriptedAI } from "./scripted-ai.js";
export {
  type LibrarianCall,
  type LibrarianScript,
  type ScriptedLibrarian,
  type ScriptedStep,
  type SlowStep,
  scriptedLibrarian,
  type ThrownStep,
} from "./scripted-librarian.js";
export type { ToolResult } from "./scripted-tools.js";
export { seeded } from "./seeded.js";
export type {
  LibrarianPart,
  LibrarianSuiteOptions,
  LibrarianUnderTest,
  MakeLibrarian,
} from "./suite-options.js";
