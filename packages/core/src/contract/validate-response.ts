import { checkDelegate, checkDelegates } from "./check-delegates.js";
import { type Checked, isShare, isText, type Mutable, tooMany, wrong } from "./checked-part.js";
import { isErrorCode } from "./error-code.js";
import type { ErrorInfo } from "./error-info.js";
import { type InputLimits, inputLimits } from "./input-limits.js";
import { mergeStrategyForm, readMergeStrategy } from "./merge-strategy.js";
import { metadataProblem } from "./metadata-problem.js";
import { rankSources } from "./rank-sources.js";
import type { Response, Source } from "./response.js";
import { isRecord } from "./unknown-value.js";

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
 * @param limits - Maximum sizes; the defaults of a router where not given.
 * @returns Never throws, whatever `value` is.
 */
export function validateResponse(
  value: unknown,
  limits: InputLimits = inputLimits,
): ResponseValidation {
  try {
    return check(value, limits);
  } catch {
    return { valid: false, problem: "response: it threw while it was being read" };
  }
}

function check(value: unknown, limits: InputLimits): ResponseValidation {
  if (!isRecord(value)) return { valid: false, problem: wrong("response", "an object", value) };
  const { answer, sources, delegate, merge, confidence, partial, error, metadata } = value;
  const response: Mutable<Response> = {};

  if (answer !== undefined) {
    if (typeof answer !== "string") return invalid("answer", "text", answer);
    if (answer.length > limits.maxAnswerLength) {
      return {
        valid: false,
        problem: tooMany("answer", "characters", answer.length, limits.maxAnswerLength),
      };
    }
    response.answer = answer;
  }
  if (sources !== undefined) {
    const checked = checkSources(sources, limits.maxSources);
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
    const { maxQueryLength } = limits;
    const checked = Array.isArray(delegate)
      ? checkDelegates(delegate, maxQueryLength)
      : checkDelegate(delegate, maxQueryLength);
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
    const copy = { ...metadata };
    const problem = metadataProblem(copy, limits);
    if (problem !== undefined) return { valid: false, problem: `metadata: ${problem}` };
    response.metadata = copy;
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

function checkSources(sources: unknown, maxSources: number): Checked<readonly Source[]> {
  if (!Array.isArray(sources)) return { problem: wrong("sources", "an array", sources) };
  if (sources.length > maxSources) {
    return { problem: tooMany("sources", "items", sources.length, maxSources) };
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

function invalid(field: string, expected: string, got: unknown): ResponseValidation {
  return { valid: false, problem: wrong(field, expected, got) };
}
