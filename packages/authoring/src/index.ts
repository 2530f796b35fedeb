export { type Defined, withoutUndefined } from "@constellation/core/checks";
export { type BlendOptions, createBlend } from "./blend/create-blend.js";
export { followsEnough, type GroundedText, type GroundText } from "./blend/ground-text.js";
export { createFolder } from "./create-folder.js";
export {
  type Answer,
  defineLibrarian,
  type LibrarianDetails,
  type TypedContext,
} from "./define-librarian.js";
export { type DescribeOptions, describeValue } from "./describe-value.js";
export { firstLine } from "./first-line.js";
export {
  estimateTokens,
  type FitOptions,
  fitSections,
  wholeLines,
} from "./fit-sections.js";
export { generateChecked } from "./generation/generate-checked.js";
export type {
  CheckedReply,
  Generated,
  GenerateOptions,
  GenerationFailure,
} from "./generation/generate-options.js";
export { readJsonReply } from "./generation/read-json-reply.js";
export { neutralizeTemplateTokens } from "./generation/template-tokens.js";
export { type LibrarianOptions, librarianOptionFields } from "./librarian-options.js";
export { modelFailureLine, modelLine } from "./model-line.js";
export { createMutex, type Mutex } from "./mutex.js";
export { optionField } from "./option-field.js";
export { type ParseOptions, parseOptions } from "./parse-options.js";
export { pause } from "./pause.js";
export { printMermaid, printTree, printUsage } from "./print-record.js";
export { type FencedText, promptFence, promptFenceNotice } from "./prompt-fence.js";
export { type PublicError, publicError } from "./public-error.js";
export { readBodyBounded } from "./read-body-bounded.js";
export { type FileBlockOptions, readFileBlocks } from "./read-file-blocks.js";
export { type FileBounds, readFileBounded } from "./read-file-bounded.js";
export {
  type ContentHop,
  type ContentModelCall,
  type ContentRecord,
  type HopContent,
  type ProgressRecord,
  type RecordContentOptions,
  recordContent,
} from "./records/record-content.js";
export { openRecordFile, type RecordFile, type RecordFileOptions } from "./records/record-file.js";
export { redactJson } from "./records/redact-json.js";
export { createWriteProblems, type WriteProblems } from "./records/write-problems.js";
export { type RedactOptions, redactSecrets } from "./redact-secrets.js";
export { type FileRefusal, FileRefusedError } from "./regular-file.js";
export {
  type RemoteReply,
  readRemoteError,
  readRemoteReply,
  remoteMessage,
  remoteQuote,
  remoteSource,
} from "./remote-response.js";
export { isSafeLink, isUnsafeLink } from "./safe-link.js";
export { type SanitizedData, sanitizeData } from "./sanitize-data.js";
export {
  cutMarkdown,
  sanitizeMarkdown,
  sanitizeMarkdownLine,
} from "./sanitize-markdown.js";
export { type SanitizeOptions, sanitizeText, truncateText } from "./sanitize-text.js";
export { isSecretName, redacted } from "./secrets/secret-names.js";
export { type Flight, type FlightWaiter, singleFlight } from "./single-flight.js";
export { createTextLines, type TextLines } from "./text-lines.js";
export { trimTrailing } from "./trim-trailing.js";
