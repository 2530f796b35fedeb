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
} from "./testing/ai-script.js";
export { chaos, type FlakyOptions } from "./testing/chaos.js";
export {
  type AskedQuery,
  type TestContext,
  type TestContextOptions,
  testContext,
} from "./testing/context.js";
export { type EventLog, type EventSource, recordEvents } from "./testing/event-log.js";
export { type GarbageKind, garbageKinds } from "./testing/garbage.js";
export type { LibrarianCheck } from "./testing/librarian-check.js";
export {
  type CheckResult,
  checkLibrarian,
  librarianChecks,
} from "./testing/librarian-checks.js";
export { itBehavesLikeALibrarian, type SuiteRunner } from "./testing/librarian-suite.js";
export { ScriptError } from "./testing/script-error.js";
export { type AICall, type ScriptedAI, scriptedAI } from "./testing/scripted-ai.js";
export {
  type LibrarianCall,
  type LibrarianScript,
  type ScriptedLibrarian,
  type ScriptedStep,
  type SlowStep,
  scriptedLibrarian,
  type ThrownStep,
} from "./testing/scripted-librarian.js";
export type { ToolResult } from "./testing/scripted-tools.js";
export { seeded } from "./testing/seeded.js";
export type {
  LibrarianPart,
  LibrarianSuiteOptions,
  LibrarianUnderTest,
  MakeLibrarian,
} from "./testing/suite-options.js";
