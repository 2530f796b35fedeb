import { isErrorCode } from "./error-code.js";
import { mergeStrategyProblem } from "./merge-strategy.js";
import type { DelegateRequest, Response, Source } from "./response.js";

/** Bounds of a response: what is larger is not one. */
export const responseLimits = {
  /** Characters of `answer`, and of a delegate's `query`. */
  answerLength: 1_000_000,
  /** Characters of any other text: messages, names, ids. */
  textLength: 100_000,
  /** Items of `sources` and of `delegate`. */
  items: 10_000,
} as const;

/** Below this, an answer is partial. */
export const partialBelowConfidence = 0.6;

/** What {@link validateResponse} found: the response in its normal form, or the first problem. */
export type ResponseValidation =
  | { readonly valid: true; readonly response: Response }
  | {
      readonly valid: false;
      /** The field and what is wrong with it: `confidence: expected a number from 0 to 1, got 2`. */
      readonly problem: string;
    };

/**
 * Checks a value from a librarian, and gives it its normal form.
 *
 * Reads every field once, so that an object that changes while it is read cannot fool the check.
 * The normal form is a new object with the fields of a response and no others: sources sorted by
 * relevance and each once, `partial` true below confidence 0.6 and beside an error, no `delegate`
 * that is empty or stands beside an error. `metadata` is the same object.
 *
 * @returns Never throws, whatever `value` is.
 */
export function validateResponse(value: unknown): ResponseValidation {
  try {
    return check(value);
  } catch {
    return { valid: false, problem: "response: it threw while it was being read" };
  }
}

function check(value: unknown): ResponseValidation {
  if (!isRecord(value)) return invalid("response", "an object", value);
  // The casts below are proved by the checks that follow them.
  const { answer, sources, delegate, merge, confidence, partial, error, metadata } =
    value as Response;
  const response: { -readonly [Key in keyof Response]: Response[Key] } = {};

  if (answer !== undefined) {
    if (typeof answer !== "string") return invalid("answer", "text", answer);
    if (answer.length > responseLimits.answerLength) {
      return tooMuch("answer", "characters", answer.length, responseLimits.answerLength);
    }
    response.answer = answer;
  }
  if (sources !== undefined) {
    const problem = sourcesProblem(sources);
    if (problem !== undefined) return problem;
    response.sources = rankSources(sources);
  }
  if (confidence !== undefined) {
    if (!isShare(confidence)) return invalid("confidence", "a number from 0 to 1", confidence);
    response.confidence = confidence;
  }
  if (partial !== undefined) {
    if (typeof partial !== "boolean") return invalid("partial", "true or false", partial);
    response.partial = partial;
  }
  if (delegate !== undefined) {
    const problem = Array.isArray(delegate)
      ? delegatesProblem(delegate)
      : delegateProblem(delegate, "delegate");
    if (problem !== undefined) return problem;
    const isFollowed = error === undefined && !(Array.isArray(delegate) && delegate.length === 0);
    if (isFollowed) response.delegate = delegate;
  }
  if (merge !== undefined) {
    const problem = mergeStrategyProblem(merge);
    if (problem !== undefined) return { valid: false, problem: `merge: ${problem}` };
    if (response.delegate !== undefined) response.merge = merge;
  }
  if (error !== undefined) {
    const problem = errorProblem(error);
    if (problem !== undefined) return problem;
    response.error = error;
  }
  if (metadata !== undefined) {
    if (!isRecord(metadata)) return invalid("metadata", "an object", metadata);
    response.metadata = metadata;
  }
  if (
    response.answer === undefined &&
    response.delegate === undefined &&
    response.error === undefined
  ) {
    return {
      valid: false,
      problem: "response: expected at least one of answer, delegate and error",
    };
  }
  if (response.answer !== undefined && isIncomplete(response)) response.partial = true;
  return { valid: true, response };
}

function isIncomplete({ confidence, error }: Response): boolean {
  return error !== undefined || (confidence !== undefined && confidence < partialBelowConfidence);
}

function sourcesProblem(sources: unknown): ResponseValidation | undefined {
  if (!Array.isArray(sources)) return invalid("sources", "an array", sources);
  if (sources.length > responseLimits.items) {
    return tooMuch("sources", "items", sources.length, responseLimits.items);
  }
  for (let index = 0; index < sources.length; index++) {
    const source: unknown = sources[index];
    const at = `sources[${index}]`;
    if (!isRecord(source)) return invalid(at, "an object", source);
    const { name, url, type, relevance } = source;
    if (!isText(name) || name.trim() === "")
      return invalid(`${at}.name`, "text that is not blank", name);
    if (url !== undefined && !isText(url)) return invalid(`${at}.url`, "text", url);
    if (type !== undefined && !isText(type)) return invalid(`${at}.type`, "text", type);
    if (relevance !== undefined && !isShare(relevance)) {
      return invalid(`${at}.relevance`, "a number from 0 to 1", relevance);
    }
  }
  return undefined;
}

function delegatesProblem(delegates: readonly unknown[]): ResponseValidation | undefined {
  if (delegates.length > responseLimits.items) {
    return tooMuch("delegate", "items", delegates.length, responseLimits.items);
  }
  for (let index = 0; index < delegates.length; index++) {
    const problem = delegateProblem(delegates[index], `delegate[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function delegateProblem(delegate: unknown, at: string): ResponseValidation | undefined {
  if (!isRecord(delegate)) return invalid(at, "an object with `to`", delegate);
  const { to, query, context } = delegate;
  if (!isText(to) || to === "") return invalid(`${at}.to`, "the id of a librarian", to);
  if (query !== undefined) {
    if (typeof query !== "string") return invalid(`${at}.query`, "text", query);
    if (query.length > responseLimits.answerLength) {
      return tooMuch(`${at}.query`, "characters", query.length, responseLimits.answerLength);
    }
  }
  if (context !== undefined && !isRecord(context))
    return invalid(`${at}.context`, "an object", context);
  return undefined;
}

function errorProblem(error: unknown): ResponseValidation | undefined {
  if (!isRecord(error)) return invalid("error", "an object", error);
  const { code, message, librarian, query, recoverable, suggestion, details } = error;
  if (!isErrorCode(code)) return invalid("error.code", "one of the standard codes", code);
  if (!isText(message)) return invalid("error.message", "text", message);
  if (librarian !== undefined && !isText(librarian))
    return invalid("error.librarian", "text", librarian);
  if (query !== undefined && typeof query !== "string")
    return invalid("error.query", "text", query);
  if (recoverable !== undefined && typeof recoverable !== "boolean") {
    return invalid("error.recoverable", "true or false", recoverable);
  }
  if (suggestion !== undefined && !isText(suggestion))
    return invalid("error.suggestion", "text", suggestion);
  if (details !== undefined && !isRecord(details))
    return invalid("error.details", "an object", details);
  return undefined;
}

/**
 * Orders sources by relevance, highest first, and leaves out those with a name and url seen before.
 * Sources without a relevance come last; equals keep their order.
 */
export function rankSources(sources: readonly Source[]): readonly Source[] {
  if (sources.length < 2) return sources;
  const seen = new Set<string>();
  const distinct = sources.filter(({ name, url }) => {
    const key = JSON.stringify([name, url]);
    return !seen.has(key) && seen.add(key);
  });
  return distinct.sort((a, b) => (b.relevance ?? -1) - (a.relevance ?? -1));
}

/** Delegates to follow: none beside an error, where there is none, and for an empty array. */
export function delegatesOf({ delegate, error }: Response): readonly DelegateRequest[] {
  if (delegate === undefined || error !== undefined) return none;
  return isArray(delegate) ? delegate : [delegate];
}

const none: readonly DelegateRequest[] = [];

/** `Array.isArray`, for a union with a readonly array, which it does not narrow. */
function isArray<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** An object with string keys: no array, no null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= responseLimits.textLength;
}

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function invalid(field: string, expected: string, got: unknown): ResponseValidation {
  return { valid: false, problem: `${field}: expected ${expected}, got ${describeValue(got)}` };
}

function tooMuch(field: string, unit: string, got: number, most: number): ResponseValidation {
  return { valid: false, problem: `${field}: expected at most ${most} ${unit}, got ${got}` };
}

/**
 * Names a wrong value in a message, in at most 60 characters and without what may be secret: of
 * text that is not a single word, only the length.
 */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") {
    return /^[\w.:-]{0,40}$/.test(value) ? `"${value}"` : `text of ${value.length} characters`;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return `${typeof value}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : typeof value;
}
