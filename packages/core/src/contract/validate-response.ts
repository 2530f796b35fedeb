import { nearestName } from "./did-you-mean.js";
import { type ErrorInfo, isErrorCode } from "./error-code.js";
import { type InputLimits, inputLimits } from "./input-limits.js";
import {
  type DelegateRequest,
  mergeStrategyForm,
  type Response,
  type ResponseFields,
  readMergeStrategy,
  type Source,
} from "./response.js";
import { type DataScope, DataTaker, type Observation } from "./take-data.js";
import {
  type Checked,
  isRecord,
  isShare,
  isText,
  type Mutable,
  responseLimits,
  tooMany,
  wrong,
} from "./unknown-value.js";
import { readUserLimits } from "./user.js";

/**
 * Below this, an answer is partial.
 *
 * @beta
 */
export const partialBelowConfidence = 0.6;

/** Result of {@link validateResponse}: the response in its normal form, or the first problem. */
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
 * Reads every field once and copies it, so that an object that changes or throws when it is read again has no effect
 * later. The normal form is a new object with the fields of a response and no
 * others: sources sorted by relevance and each once, `partial` true below confidence 0.6 and beside
 * an error, no `delegate` that is empty or is beside an error. The plain data of `metadata`, `details` and
 * `context` is copied and frozen.
 *
 * @param limits - Maximum sizes; the defaults of a router where not given.
 * @returns Never throws, whatever `value` is.
 */
export function validateResponse(
  value: unknown,
  limits: InputLimits = inputLimits,
): ResponseValidation {
  return validateGiven(value, limits, undefined);
}

/**
 * The call that a response comes from.
 *
 * @beta
 */
export interface ResponseGiver {
  readonly dataScope: DataScope;
  /** How the run records what the response's metadata brings that is new; `undefined`: not at all. */
  observe(): Observation | undefined;
}

/**
 * As {@link validateResponse}; what belongs to the run of `giver` already is kept unchanged.
 *
 * @beta
 */
export function validateGiven(
  value: unknown,
  limits: InputLimits,
  giver: ResponseGiver | undefined,
): ResponseValidation {
  try {
    return check(value, limits, giver);
  } catch {
    return { valid: false, problem: "response: it threw while it was being read" };
  }
}

function check(
  value: unknown,
  limits: InputLimits,
  giver: ResponseGiver | undefined,
): ResponseValidation {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { valid: false, problem: wrong("response", "an object", value) };
  }
  const fields: { readonly [Name in keyof ResponseFields]: unknown } = value;
  const { answer, headline, sources, delegate, merge, confidence, partial, error, metadata } =
    fields;
  const response: Mutable<ResponseFields> = {};
  let taker: DataTaker | undefined;
  const dataTaker = () => {
    taker ??= new DataTaker(limits, giver?.dataScope);
    return taker;
  };

  if (answer !== undefined) {
    if (typeof answer !== "string") return invalid("answer", "text", answer);
    if (answer.length > limits.maxAnswerLength) {
      return {
        valid: false,
        problem: tooMany("answer", "characters", answer.length, limits.maxAnswerLength),
      };
    }
    if (answer.trim() !== "") response.answer = answer; // a blank answer counts as no answer
  }
  if (headline !== undefined) {
    if (!isText(headline)) return invalid("headline", "text", headline);
    if (headline.trim() !== "" && response.answer !== undefined) response.headline = headline;
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
  if (metadata !== undefined) {
    if (!isRecord(metadata)) return invalid("metadata", "an object", metadata);
    // First: what `delegate.context` shares with it is then as observed as it is.
    const taken = dataTaker().take(metadata, giver?.observe());
    if ("problem" in taken) return { valid: false, problem: `metadata${taken.problem}` };
    response.metadata = taken.data;
  }
  if (error !== undefined) {
    const checked = checkError(error, dataTaker);
    if ("problem" in checked) return { valid: false, problem: checked.problem };
    response.error = checked.part;
  }
  if (delegate !== undefined) {
    const { maxQueryLength } = limits;
    const checked = Array.isArray(delegate)
      ? checkDelegates(delegate, maxQueryLength, dataTaker)
      : checkDelegate(delegate, maxQueryLength, dataTaker);
    if ("problem" in checked) return { valid: false, problem: checked.problem };
    const isEmpty = Array.isArray(checked.part) && checked.part.length === 0;
    if (error === undefined && !isEmpty) response.delegate = checked.part;
  }
  if (merge !== undefined) {
    const strategy = readMergeStrategy(merge);
    if (strategy === undefined) return invalid("merge", mergeStrategyForm, merge);
    if (response.delegate !== undefined) response.merge = strategy;
  }
  const misspelt = misspeltKey("response", value, knownKeys);
  if (misspelt !== undefined) return { valid: false, problem: misspelt };
  const isUnsure = (response.confidence ?? 1) < partialBelowConfidence;
  if (response.answer !== undefined && (error !== undefined || isUnsure)) response.partial = true;
  if (hasContent(response)) return { valid: true, response };
  const blank = answer === undefined ? "" : ", the answer is blank";
  return {
    valid: false,
    problem: `response: expected at least one of answer, delegate and error${blank}`,
  };
}

function hasContent(response: ResponseFields): response is Response {
  return (
    response.answer !== undefined || response.delegate !== undefined || response.error !== undefined
  );
}

const knownKeys: Readonly<Record<keyof ResponseFields, true>> = {
  answer: true,
  headline: true,
  sources: true,
  delegate: true,
  merge: true,
  confidence: true,
  partial: true,
  error: true,
  metadata: true,
};

/** A field that is copied as it is: its check, and what messages call what passes it. */
interface Field {
  readonly expected: string;
  readonly isRequired?: true;
  readonly accepts: (value: unknown) => boolean;
}

const text: Field = { expected: "text", accepts: isText };
const share: Field = { expected: "a number from 0 to 1", accepts: isShare };

const errorFields: Readonly<Record<Exclude<keyof ErrorInfo, "details">, Field>> = {
  code: { expected: "one of the standard codes", isRequired: true, accepts: isErrorCode },
  message: { ...text, isRequired: true },
  librarian: text,
  query: { expected: "text", accepts: (query) => typeof query === "string" },
  recoverable: { expected: "true or false", accepts: (flag) => typeof flag === "boolean" },
  suggestion: text,
};
const errorKeys = { ...errorFields, details: true };

const sourceFields: Readonly<Record<keyof Source, Field>> = {
  name: {
    expected: "text that is not blank",
    isRequired: true,
    accepts: (name) => isText(name) && name.trim() !== "",
  },
  url: text,
  type: text,
  relevance: share,
};

/** Reads the fields of a table, each once. @returns A copy, or the first problem. */
function readFields<Part>(
  at: string,
  from: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Field>>,
): Checked<Mutable<Part>> {
  const part: Record<string, unknown> = {};
  for (const [key, { expected, isRequired, accepts }] of Object.entries(fields)) {
    const value = from[key];
    if (value === undefined && isRequired !== true) continue;
    if (!accepts(value)) return { problem: wrong(`${at}.${key}`, expected, value) };
    part[key] = value;
  }
  return { part: part as Mutable<Part> }; // each of its fields has passed its check
}

const delegateKeys: Readonly<Record<keyof DelegateRequest, true>> = {
  to: true,
  query: true,
  context: true,
  user: true,
};

/** Finds a misspelt key of a field, whose value would be lost. Any other unknown key is dropped. */
function misspeltKey(at: string, value: object, known: object): string | undefined {
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(known, key) || Reflect.get(value, key) === undefined) continue;
    const meant = nearestName(key, Object.keys(known));
    if (meant !== undefined) return `${at}: unknown key "${key}". Did you mean "${meant}"?`;
  }
  return undefined;
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
    const read = readFields<Source>(at, source, sourceFields);
    if ("problem" in read) return read;
    part.push(read.part);
  }
  return { part };
}

/** Checks an error from outside, and copies it. */
function checkError(error: unknown, dataTaker: () => DataTaker): Checked<ErrorInfo> {
  if (!isRecord(error)) return { problem: wrong("error", "an object", error) };
  const read = readFields<ErrorInfo>("error", error, errorFields);
  if ("problem" in read) return read;
  const { part } = read;
  const { details } = error;
  if (details !== undefined) {
    if (!isRecord(details)) return { problem: wrong("error.details", "an object", details) };
    const taken = dataTaker().take(details, undefined);
    if ("problem" in taken) return { problem: `error.details${taken.problem}` };
    part.details = taken.data;
  }
  const misspelt = misspeltKey("error", error, errorKeys);
  return misspelt === undefined ? { part } : { problem: misspelt };
}

function invalid(field: string, expected: string, got: unknown): ResponseValidation {
  return { valid: false, problem: wrong(field, expected, got) };
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

/**
 * The delegates of a response that are followed: none beside an error.
 *
 * @beta
 */
export function delegatesOf({ delegate, error }: Response): readonly DelegateRequest[] {
  if (delegate === undefined || error !== undefined) return none;
  return "to" in delegate ? [delegate] : delegate;
}

const none: readonly DelegateRequest[] = [];

/** Checks several delegates, and copies them. */
export function checkDelegates(
  delegates: readonly unknown[],
  maxQueryLength: number,
  dataTaker: () => DataTaker,
): Checked<readonly DelegateRequest[]> {
  if (delegates.length > responseLimits.items) {
    return { problem: tooMany("delegate", "items", delegates.length, responseLimits.items) };
  }
  const part: DelegateRequest[] = [];
  for (let index = 0; index < delegates.length; index++) {
    const checked = checkDelegate(delegates[index], maxQueryLength, dataTaker, index);
    if ("problem" in checked) return checked;
    part.push(checked.part);
  }
  return { part };
}

/** Checks a delegate, and copies it. @param index - Its place among several. */
export function checkDelegate(
  delegate: unknown,
  maxQueryLength: number,
  dataTaker: () => DataTaker,
  index?: number,
): Checked<DelegateRequest> {
  const at = index === undefined ? "delegate" : `delegate[${index}]`;
  const problem = (field: string, expected: string, got: unknown) => ({
    problem: wrong(at + field, expected, got),
  });
  if (!isRecord(delegate)) return problem("", "an object with `to`", delegate);
  const { to, query, context, user } = delegate;
  if (!isText(to) || to === "") return problem(".to", "the id of a librarian", to);
  const part: Mutable<DelegateRequest> = { to };
  if (query !== undefined) {
    if (typeof query !== "string") return problem(".query", "text", query);
    if (query.length > maxQueryLength) {
      const most = `at most ${maxQueryLength} characters`;
      return problem(".query", most, query);
    }
    part.query = query;
  }
  if (context !== undefined) {
    if (!isRecord(context)) return problem(".context", "an object", context);
    const taken = dataTaker().take(context, undefined);
    if ("problem" in taken) return { problem: `${at}.context${taken.problem}` };
    part.context = taken.data;
  }
  if (user !== undefined) {
    const limits = readUserLimits(user);
    if ("problem" in limits) return { problem: `${at}.user${limits.problem}` };
    part.user = limits.part;
  }
  const misspelt = misspeltKey(at, delegate, delegateKeys);
  return misspelt === undefined ? { part } : { problem: misspelt };
}
