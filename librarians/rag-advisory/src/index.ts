export type { RAGAdapter, RAGAdapterContext } from "./advisory/adapter.js";
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
} from "./evidence/evidence-recorder.js";
export { createFileRecorder, type FileRecorderOptions } from "./evidence/file-recorder.js";
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
  type ContentSpan,
  type ContentViolation,
  contentViolations,
  findForbidden,
} from "./rules/content-rules.js";
export type { ContentRule } from "./rules/forbidden-language.js";
export { createMemoryStore } from "./store/memory-store.js";
export type {
  AddReport,
  Chunk,
  ChunkMetadata,
  ChunkRow,
  FoundChunk,
  RowQuery,
  StoreCountry,
  StoreHealth,
  StoreQuery,
  VectorStore,
} from "./store/vector-store.js";
