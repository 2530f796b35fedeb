export { type FollowOptions, followPages, type PageChanges } from "./folder/follow-pages.js";
export { type FolderLimits, folderLimits } from "./folder/limits.js";
export { createMarkdownFolder, type MarkdownFolderOptions } from "./folder/markdown-folder.js";
export type {
  Omission,
  OmissionReason,
  PageEntry,
  PageListing,
  PageSource,
} from "./folder/page-source.js";
export {
  type KnowledgeBase,
  type KnowledgeBaseOptions,
  type KnowledgeBaseProgress,
  openKnowledgeBase,
  type RefreshReport,
} from "./knowledge-base.js";
export {
  type Analyzer,
  type AnalyzerOptions,
  createAnalyzer,
  type Term,
} from "./lexical/analyzer.js";
export type { LexicalDocument } from "./lexical/documents.js";
export type {
  LexicalHit,
  LexicalResult,
  LexicalSearchOptions,
  QueryFacts,
} from "./lexical/hit.js";
export {
  createLexicalIndex,
  type IndexSnapshot,
  type LexicalIndex,
  type LexicalIndexOptions,
} from "./lexical/lexical-index.js";
export type { FieldOptions, RankingOptions, RerankOptions } from "./lexical/options.js";
export { type Decoded, decodeText } from "./markdown/decode.js";
export type { Block, BlockKind, Link, MarkdownPage, Section } from "./markdown/page.js";
export { type ParseMarkdownOptions, parseMarkdown } from "./markdown/parse-markdown.js";
export { slugOf } from "./markdown/slug.js";
export { sectionDocuments, sectionId } from "./sections/section-documents.js";
export {
  createSectionIndex,
  type SectionField,
  type SectionHit,
  type SectionIndex,
  type SectionIndexOptions,
  type SectionResult,
  type SectionSearchOptions,
} from "./sections/section-index.js";
