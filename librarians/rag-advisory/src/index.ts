export { StoreError, type StoreErrorReason } from "@constellation/retrieval";
export type { RAGAdapter, RAGAdapterContext } from "./advisory/country-adapter.js";
export {
  ADVISORY_NOTE,
  ADVISORY_THRESHOLD,
  type ConfidenceBand,
  confidenceBand,
  flagForReview,
  flagLowConfidence,
  REVIEW_THRESHOLD,
} from "./contract/confidence-bands.js";
export { type EmptyAdvisoryOptions, emptyAdvisory } from "./contract/empty-advisory.js";
export {
  type RAGCountry,
  type RAGMarketContext,
  type RAGResponse,
  type RAGRiskSignal,
  type RAGRiskType,
  type RAGSeverity,
  type RAGSource,
  type RAGSourceType,
  type RAGValuationHint,
  ragSchemaVersion,
} from "./contract/rag-response.js";
export { ragJsonSchema, ragResponseSchema } from "./contract/rag-response.schema.js";
export {
  parseRAGResponse,
  type RAGProblem,
  RAGResponseError,
  validateRAGResponse,
} from "./contract/validate-rag-response.js";
export type {
  EvidenceEvent,
  EvidenceRecorder,
  EvidenceType,
} from "./evidence/file-recorder.js";
export { createFileRecorder, type FileRecorderOptions } from "./evidence/file-recorder.js";
export { ingest } from "./ingest/ingest.js";
export type {
  IngestOptions,
  IngestProblem,
  IngestProgress,
  IngestReport,
} from "./ingest/options.js";
export {
  optionsSchema,
  type RagAdvisoryLibrarianOptions,
  ragAdvisoryLibrarianDefaults,
} from "./options.js";
export {
  createRagAdvisoryLibrarian,
  createRagAdvisoryLibrarian as createLibrarian,
} from "./rag-advisory-librarian.js";
export {
  type ContentAct,
  type ContentRule,
  type ContentSpan,
  type ContentViolation,
  contentViolations,
  findForbidden,
} from "./rules/content-rules.js";
export { openFileStore } from "./store/file/file-store.js";
export { createMemoryStore, type EmbeddedStoreOptions } from "./store/memory-store.js";
export { type OpenStoreOptions, openStore } from "./store/open-store.js";
export { createSchema, type SchemaOptions } from "./store/postgres/create-schema.js";
export { createPostgresStore, type PostgresStoreOptions } from "./store/postgres/postgres-store.js";
export type { CancellingSqlClient, SqlClient } from "./store/postgres/run-sql.js";
export type {
  AddReport,
  Chunk,
  ChunkMetadata,
  ChunkRow,
  FoundChunk,
  RemoveOptions,
  RowQuery,
  StoreCountry,
  StoreHealth,
  StoreOptions,
  StoreQuery,
  StoreSourceType,
  VectorStore,
} from "./store/vector-store.js";
