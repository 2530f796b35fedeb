export { checkAnswer, readAnswer } from "./answers.js";
export { ContentKeys } from "./content-keys.js";
export { createJournal } from "./create-journal.js";
export type { ModelBody, StepBody } from "./entries.js";
export type { ForkOptions, Journal, WaitingFilter } from "./journal.js";
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store.js";
export { createPostgresStore, type PostgresStoreOptions } from "./postgres/postgres-store.js";
export {
  RecordedWork,
  unknownOutcomeRequest,
  type WorkLine,
  type WorkRecord,
} from "./recorded-work.js";
export { replayRun, type SavedRun } from "./replay.js";
export type { JournalOptions } from "./settings.js";
export type { SharedBudgets } from "./spending.js";
export { createSqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.js";
export {
  type ClaimRequest,
  type DeleteFilter,
  type DocumentFilter,
  eachDocument,
  type JournalStore,
  type JournalWrite,
  type RunFilter,
  type RunStatus,
  type StoredDocument,
  type StoredEntry,
  type StoredRun,
  type StoredWait,
  type WaitFilter,
  type WriteOutcome,
} from "./store.js";
export {
  type CompleteFollowUp,
  createThreads,
  type RunThreads,
  type StoredThread,
  type StoredTurn,
  type ThreadAccess,
  type ThreadOptions,
  type ThreadQuestion,
  type ThreadStoreOptions,
  type ThreadSummary,
  type Threads,
  threadStoreOption,
} from "./threads.js";
