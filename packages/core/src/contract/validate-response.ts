import { isErrorCode } from "./error-code.js";
import type { ErrorInfo } from "./error-info.js";
import { mergeStrategyForm, readMergeStrategy } from "./merge-strategy.js";
import { rankSources } from "./rank-sources.js";
import type { DelegateRequest, Response, Source } from "./response.js";
import { describeType, isRecord } from "./unknown-value.js";
import { readUserLimits } from "./user-limits.js";

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
      /**
       * The field and what is wrong with it, without the value:
       * `confidence: expected a number from 0 to 1, got text of 4 characters`.
       */
      readonly problem: string;
    };

/**
 * Checks a value from a librarian, and gives it its normal form.
 *
 * Reads every field once and copies it, so that an object that changes or throws when it is read
 * again can fool no one later. The normal form is a new object with the fields of a response and no
 * others: sources sorted by relevance and each once, `partial` true below confidence 0.6 and beside
 * an error, no `delegate` that is empty or is beside an error. `metadata`, `details` and
 * `context` are copied one level deep.
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

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** What a check of a part found: its copy, or the first problem. */
type Checked<Part> = { readonly part: Part } | { readonly problem: string };

function check(value: unknown): ResponseValidation {
  if (!isRecord(value)) return { valid: false, problem: wrong("response", "an object", value) };
  const { answer, sources, delegate, merge, confidence, partial, error, metadata } = value;
  const response: Mutable<Response> = {};

  if (answer !== undefined) {
    if (typeof answer !== "string") return invalid("answer", "text", answer);
    if (answer.length > responseLimits.answerLength) {
      return {
        valid: false,
        problem: tooMany("answer", "characters", answer.length, responseLimits.answerLength),
      };
    }
    response.answer = answer;
  }
  if (sources !== undefined) {
    const checked = checkSources(sources);
    if ("problem" in checked) return { valid: false, problem: checked.problem };
    response.sources = rankSources(checked.part);
  }
  if (confidence !== undefined) {
    if (!isShare(confidence)) return invalid("confidence", "a number from 0 to 1", confidence);
    response.confidence = confidence;
  }
  if (partial !== undefined) {
    if (typeof partial !== "boolean") return invalid("partial", "true or false", partial);
    response.partial = partial;
  }
  if (error !== undefined) {
    const checked = checkError(error);
    if ("problem" in checked) return { valid: false, problem: checked.problem };
    response.error = checked.part;
  }
  if (delegate !== undefined) {
    const checked = Array.isArray(delegate) ? checkDelegates(delegate) : checkDelegate(delegate);
    if ("problem" in checked) return { valid: false, problem: checked.problem };
    const isEmpty = Array.isArray(checked.part) && checked.part.length === 0;
    if (error === undefined && !isEmpty) response.delegate = checked.part;
  }
  if (merge !== undefined) {
    const strategy = readMergeStrategy(merge);
    if (strategy === undefined) return invalid("merge", mergeStrategyForm, merge);
    if (response.delegate !== undefined) response.merge = strategy;
  }
  if (metadata !== undefined) {
    if (!isRecord(metadata)) return invalid("metadata", "an object", metadata);
    response.metadata = { ...metadata };
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

function checkSources(sources: unknown): Checked<readonly Source[]> {
  if (!Array.isArray(sources)) return { problem: wrong("sources", "an array", sources) };
  if (sources.length > responseLimits.items) {
    return { problem: tooMany("sources", "items", sources.length, responseLimits.items) };
  }
  const part: Source[] = [];
  for (let index = 0; index < sources.length; index++) {
    const source: unknown = sources[index];
    const at = `sources[${index}]`;
    if (!isRecord(source)) return { problem: wrong(at, "an object", source) };
    const { name, url, type, relevance } = source;
    if (!isText(name) || name.trim() === "") {
      return { problem: wrong(`${at}.name`, "text that is not blank", name) };
    }
    const copy: Mutable<Source> = { name };
    if (url !== undefined) {
      if (!isText(url)) return { problem: wrong(`${at}.url`, "text", url) };
      copy.url = url;
    }
    if (type !== undefined) {
      if (!isText(type)) return { problem: wrong(`${at}.type`, "text", type) };
      copy.type = type;
    }
    if (relevance !== undefined) {
      if (!isShare(relevance)) {
        return { problem: wrong(`${at}.relevance`, "a number from 0 to 1", relevance) };
      }
      copy.relevance = relevance;
    }
    part.push(copy);
  }
  return { part };
}

function checkDelegates(delegates: readonly unknown[]): Checked<readonly DelegateRequest[]> {
  if (delegates.length > responseLimits.items) {
    return { problem: tooMany("delegate", "items", delegates.length, responseLimits.items) };
  }
  const part: DelegateRequest[] = [];
  for (let index = 0; index < delegates.length; index++) {
    const checked = checkDelegate(delegates[index], index);
    if ("problem" in checked) return checked;
    part.push(checked.part);
  }
  return { part };
}

function checkDelegate(delegate: unknown, index?: number): Checked<DelegateRequest> {
  if (!isRecord(delegate)) return wrongDelegate(index, "", "an object with `to`", delegate);
  const { to, query, context, user } = delegate;
  if (!isText(to) || to === "") return wrongDelegate(index, ".to", "the id of a librarian", to);
  const part: Mutable<DelegateRequest> = { to };
  if (query !== undefined) {
    if (typeof query !== "string") return wrongDelegate(index, ".query", "text", query);
    if (query.length > responseLimits.answerLength) {
      const most = `at most ${responseLimits.answerLength} characters`;
      return wrongDelegate(index, ".query", most, query);
    }
    part.query = query;
  }
  if (context !== undefined) {
    if (!isRecord(context)) return wrongDelegate(index, ".context", "an object", context);
    part.context = { ...context };
  }
  if (user !== undefined) {
    const limits = readUserLimits(user);
    if ("problem" in limits) {
      const place = index === undefined ? "delegate" : `delegate[${index}]`;
      return { problem: `${place}.user${limits.problem}` };
    }
    part.user = limits.part;
  }
  return { part };
}

function wrongDelegate(
  index: number | undefined,
  name: string,
  expected: string,
  got: unknown,
): { readonly problem: string } {
  return {
    problem: wrong(`delegate${index === undefined ? "" : `[${index}]`}${name}`, expected, got),
  };
}

/** Checks an error from outside, and copies it. */
function checkError(error: unknown): Checked<ErrorInfo> {
  if (!isRecord(error)) return { problem: wrong("error", "an object", error) };
  const { code, message, librarian, query, recoverable, suggestion, details } = error;
  if (!isErrorCode(code))
    return { problem: wrong("error.code", "one of the standard codes", code) };
  if (!isText(message)) return { problem: wrong("error.message", "text", message) };
  const part: Mutable<ErrorInfo> = { code, message };
  if (librarian !== undefined) {
    if (!isText(librarian)) return { problem: wrong("error.librarian", "text", librarian) };
    part.librarian = librarian;
  }
  if (query !== undefined) {
    if (typeof query !== "string") return { problem: wrong("error.query", "text", query) };
    part.query = query;
  }
  if (recoverable !== undefined) {
    if (typeof recoverable !== "boolean") {
      return { problem: wrong("error.recoverable", "true or false", recoverable) };
    }
    part.recoverable = recoverable;
  }
  if (suggestion !== undefined) {
    if (!isText(suggestion)) return { problem: wrong("error.suggestion", "text", suggestion) };
    part.suggestion = suggestion;
  }
  if (details !== undefined) {
    if (!isRecord(details)) return { problem: wrong("error.details", "an object", details) };
    part.details = { ...details };
  }
  return { part };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= responseLimits.textLength;
}

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function invalid(field: string, expected: string, got: unknown): ResponseValidation {
  return { valid: false, problem: wrong(field, expected, got) };
}

function wrong(field: string, expected: string, got: unknown): string {
  return `${field}: expected ${expected}, got ${describeType(got)}`;
}

function tooMany(field: string, unit: string, got: number, most: number): string {
  return `${field}: expected at most ${most} ${unit}, got ${got}`;
}
