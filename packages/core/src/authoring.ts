export {
  cancelledError,
  deadlineError,
  throwIfAborted,
  toAbortError,
} from "./authoring/abort-error.js";
export {
  type Answer,
  defineLibrarian,
  type LibrarianDetails,
} from "./authoring/define-librarian.js";
export { type DescribeOptions, describeValue } from "./authoring/describe-value.js";
export {
  estimateTokens,
  type FitOptions,
  fitSections,
  wholeLines,
} from "./authoring/fit-sections.js";
export { generateChecked } from "./authoring/generate-checked.js";
export type {
  CheckedReply,
  Generated,
  GenerateOptions,
  GenerationFailure,
} from "./authoring/generate-options.js";
export { type LibrarianOptions, librarianOptionFields } from "./authoring/librarian-options.js";
export { maxTimerMs } from "./authoring/max-timer.js";
export { modelFailureLine, modelLine } from "./authoring/model-line.js";
export { createMutex, type Mutex } from "./authoring/mutex.js";
export { onAbort } from "./authoring/on-abort.js";
export { optionField } from "./authoring/option-field.js";
export { type ParseOptions, parseOptions } from "./authoring/parse-options.js";
export { pause } from "./authoring/pause.js";
export { type FencedText, promptFence, promptFenceNotice } from "./authoring/prompt-fence.js";
export { publicError } from "./authoring/public-error.js";
export { type FileBlockOptions, readFileBlocks } from "./authoring/read-file-blocks.js";
export { type FileBounds, readFileBounded } from "./authoring/read-file-bounded.js";
export { readJsonReply } from "./authoring/read-json-reply.js";
export { type RedactOptions, redactSecrets } from "./authoring/redact-secrets.js";
export { type FileRefusal, FileRefusedError } from "./authoring/regular-file.js";
export { type RemainingOptions, remainingMs } from "./authoring/remaining-ms.js";
export {
  type RemoteReply,
  readRemoteError,
  readRemoteReply,
  remoteMessage,
  remoteQuote,
  remoteSource,
} from "./authoring/remote-response.js";
export { isSafeLink, isUnsafeLink } from "./authoring/safe-link.js";
export { type SanitizedData, sanitizeData } from "./authoring/sanitize-data.js";
export {
  cutMarkdown,
  sanitizeMarkdown,
  sanitizeMarkdownLine,
} from "./authoring/sanitize-markdown.js";
export { type SanitizeOptions, sanitizeText, truncateText } from "./authoring/sanitize-text.js";
export { isSecretName, redacted } from "./authoring/secret-names.js";
export { type Flight, type FlightWaiter, singleFlight } from "./authoring/single-flight.js";
export { createTextLines, type TextLines } from "./authoring/text-lines.js";
export { trimTrailing } from "./authoring/trim-trailing.js";
export { type WaitLimits, withDeadline } from "./authoring/with-deadline.js";
export { type Defined, withoutUndefined } from "./authoring/without-undefined.js";
