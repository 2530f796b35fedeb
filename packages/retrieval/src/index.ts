export { type Decoded, decodeText } from "./markdown/decode.js";
export type { Block, BlockKind, Link, MarkdownPage, Section } from "./markdown/page.js";
export { type ParseMarkdownOptions, parseMarkdown } from "./markdown/parse-markdown.js";
export { slugOf } from "./markdown/slug.js";
export { type Analyzer, type AnalyzerOptions, createAnalyzer, type Term } from "./lexical/analyzer.js";
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
export type { FieldOptions, RankingOptions } from "./lexical/options.js";
export { sectionDocuments, sectionId } from "./sections/section-documents.js";
