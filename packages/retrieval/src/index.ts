export {
  delegateOutOfDomain,
  type OutOfDomainDelegate,
  type OutOfDomainOptions,
} from "./delegation/delegate-out-of-domain.js";
export {
  type DelegateDescription,
  type DelegateMatch,
  type MatchDelegateOptions,
  matchDelegate,
} from "./delegation/match-delegate.js";
export { type Embedder, EmbedderError, embedChecked } from "./embeddings/embedder.js";
export { type FusedRank, fuse, type Ranking } from "./embeddings/fuse.js";
export { createHttpEmbedder, type HttpEmbedderOptions } from "./embeddings/http-embedder.js";
export { createVectorIndex, type Neighbour, type VectorIndex } from "./embeddings/vector-index.js";
export {
  type ContentEstimate,
  type EstimateOptions,
  type EstimateProbe,
  estimateAnswers,
  type KeptRows,
  keepRows,
} from "./estimate/estimate-answers.js";
export { sketchContent } from "./estimate/sketch-content.js";
export { type FolderLimits, folderLimits } from "./folder/limits.js";
export {
  createMarkdownFolder,
  type MarkdownFolderOptions,
  markdownFiles,
} from "./folder/markdown-folder.js";
export type {
  Omission,
  OmissionReason,
  PageEntry,
  PageListing,
  PageSource,
} from "./folder/page-source.js";
export type {
  KnowledgeBase,
  KnowledgeBaseOptions,
  KnowledgeBaseProgress,
  KnowledgeResult,
  RefreshReport,
} from "./knowledge-base/knowledge-base.js";
export { openKnowledgeBase } from "./knowledge-base/open-knowledge-base.js";
export type { PageFormat, PageFormats } from "./knowledge-base/read-page.js";
export {
  type Analyzer,
  type AnalyzerOptions,
  createAnalyzer,
  forLanguage,
  type Term,
} from "./lexical/analyzer.js";
export type { LexicalDocument } from "./lexical/documents.js";
export type {
  LexicalHit,
  LexicalResult,
  LexicalSearchOptions,
  QueryFacts,
} from "./lexical/hit.js";
export { detectLanguage, type Language } from "./lexical/language.js";
export {
  createLexicalIndex,
  type FieldOptions,
  type IndexSnapshot,
  type LexicalIndex,
  type LexicalIndexOptions,
  type SnapshotPart,
} from "./lexical/lexical-index.js";
export { type Decoded, decodeText } from "./markdown/decode.js";
export type { Block, BlockKind, Link, MarkdownPage, Section } from "./markdown/page.js";
export { type ParseMarkdownOptions, parseMarkdown } from "./markdown/parse-markdown.js";
export { isPlainMarkdown } from "./markdown/quotable.js";
export { type QuotableBlock, quotableBlocks } from "./markdown/quotable-blocks.js";
export { toSlug } from "./markdown/slug.js";
export type { RecordCodec } from "./record-log/frame.js";
export type { PlacedRecord, RecordPlace } from "./record-log/read-log.js";
export {
  openRecordLog,
  type RecordLog,
  type RecordLogOptions,
  type RecordLogState,
  writeAt,
} from "./record-log/record-log.js";
export { StoreError, type StoreErrorReason } from "./record-log/store-error.js";
export { writeFileSafely } from "./record-log/write-file-safely.js";
export { errorCode } from "./record-log/write-lock.js";
export {
  createSectionIndex,
  type SectionField,
  type SectionHit,
  type SectionIndex,
  type SectionResult,
  type SectionSearchOptions,
  type StoredPages,
} from "./sections/section-index.js";
export type { StoreProblem } from "./store/codec.js";
export { createFileStore } from "./store/file-store.js";
export type { IndexStore } from "./store/index-store.js";
export type { StoredPage } from "./store/stored-page.js";
