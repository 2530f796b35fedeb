import { type ErrorCode, isErrorCode } from "../contract/error-code.js";
import type { Branch } from "../contract/merge-strategy.js";
import { MeshError } from "../contract/mesh-error.js";
import type { MissingBranch, Response, Source } from "../contract/response.js";
import { isRecord } from "../contract/unknown-value.js";
import {
  partialBelowConfidence,
  rankSources,
  responseLimits,
} from "../contract/validate-response.js";
import { whyClosed } from "./guard.js";
import type { Hop } from "./hop.js";
import { MergeCall } from "./merge-call.js";
import type { Arrival, CustomMerge, Strategy } from "./strategy.js";

/** Most characters of a message made of several. */
const maxMessageLength = 2_000;

/** A fan-out whose branches have come back, as far as they were needed. */
export interface FanOutOutcome {
  /** Who delegated. */
  readonly hop: Hop;
  /** Its own response. */
  readonly own: Response;
  /** Those asked, in that order. */
  readonly children: readonly Hop[];
  /** What came back, in the order it came. */
  readonly arrivals: readonly Arrival[];
  /** Those not asked. */
  readonly notAsked: readonly MissingBranch[];
  readonly strategy: Strategy;
}

/** One response, and what it was made of. */
export interface Merged {
  readonly response: Response;
  /** Hops whose answers stand in it, in the order asked; the one that delegated, for its own. */
  readonly used: readonly Hop[];
  readonly missing: readonly MissingBranch[];
}

/** Makes one response of a fan-out. What failed or was not asked is always told. Never rejects. */
export async function mergeFanOut(outcome: FanOutOutcome): Promise<Merged> {
  const { hop, own, children, arrivals, notAsked, strategy } = outcome;
  const branches: Branch[] = [];
  const missing: MissingBranch[] = [];
  for (const { index, response } of inOrderAsked(arrivals)) {
    const branch = branchOf(children[index] ?? hop, response);
    branches.push(branch);
    addMissing(missing, branch);
  }
  missing.push(...notAsked.slice(0, Math.max(0, responseLimits.items - missing.length)));

  const answers = arrivals.filter(({ response }) => response.answer !== undefined);
  const ownAnswer = own.answer === undefined ? undefined : { index: -1, response: own };
  const picked = inOrderAsked(strategy.pick(answers, ownAnswer));
  const used = picked.map(({ index }) => children[index] ?? hop); // index -1: its own answer
  if (picked.length === 0) {
    const error = hop.errorOf(allFailed(branches));
    return { response: withTold({ error }, missing, branches), used, missing };
  }
  const joined = join(picked.map(({ response }, place) => branchOf(used[place] ?? hop, response)));
  const { custom } = strategy;
  const response =
    custom === undefined ? joined : await mergeByFunction(outcome, custom, branches, joined);
  return { response: withTold(response, missing, branches), used, missing };
}

/** Mostly they are in order already: librarians asked first tend to answer first. */
function inOrderAsked(arrivals: readonly Arrival[]): readonly Arrival[] {
  const isInOrder = arrivals.every(
    ({ index }, place) => (arrivals[place - 1]?.index ?? -2) < index,
  );
  return isInOrder ? arrivals : [...arrivals].sort((a, b) => a.index - b.index);
}

async function mergeByFunction(
  { hop, own }: FanOutOutcome,
  { merge, timeoutMs, recover }: CustomMerge,
  branches: readonly Branch[],
  joined: Response,
): Promise<Response> {
  const closed = whyClosed(hop);
  if (closed !== undefined) return recover(joined, hop.errorOf(closed));
  const all = own.answer === undefined ? branches : [branchOf(hop, own), ...branches];
  // Copies: a function that changes what it is given changes nothing that is reported.
  const given = all.map((each) => ({ ...each, response: { ...each.response } }));
  const merged = await new MergeCall(hop, merge, given, timeoutMs).outcome();
  if (merged.answer !== undefined || merged.error === undefined) return merged;
  return recover(joined, merged.error);
}

function branchOf({ to, entry }: Hop, response: Response): Branch {
  return { to, name: entry?.info.name ?? to, response };
}

/** What is missing in a fan-out that ended before its branches came back. */
export function missingOf(
  outcome: Pick<FanOutOutcome, "children" | "arrivals" | "notAsked">,
): readonly MissingBranch[] {
  const missing: MissingBranch[] = [];
  const responses = new Map(outcome.arrivals.map(({ index, response }) => [index, response]));
  for (const [index, child] of outcome.children.entries()) {
    const response = responses.get(index);
    if (response === undefined)
      missing.push(
        missingBranch(child.to, "TIMEOUT", "cancelled", "The run ended before it answered."),
      );
    else addMissing(missing, branchOf(child, response));
  }
  return [...missing, ...outcome.notAsked];
}

/** Adds a branch that failed, or those that were missing in a branch that answered. */
function addMissing(missing: MissingBranch[], { to, response }: Branch): void {
  const { answer, error, metadata } = response;
  if (error !== undefined) {
    const { code, message, details } = error;
    missing.push(missingBranch(to, code, details?.reason, message));
  }
  if (answer !== undefined) addMissingBelow(missing, metadata?.missing);
}

/** Adds branches that were missing further down: a librarian may have written anything there. */
function addMissingBelow(missing: MissingBranch[], below: unknown): void {
  try {
    if (!Array.isArray(below)) return;
    const count = Math.min(below.length, responseLimits.items - missing.length);
    for (let index = 0; index < count; index++) {
      const each = readMissing(below[index]);
      if (each !== undefined) missing.push(each);
    }
  } catch {
    // A revoked proxy: nothing can be read from it.
  }
}

function readMissing(value: unknown): MissingBranch | undefined {
  try {
    const { to, code, reason, message } = isRecord(value) ? value : {};
    if (typeof to !== "string" || !isErrorCode(code) || typeof message !== "string") {
      return undefined;
    }
    return missingBranch(to, code, reason, message);
  } catch {
    return undefined; // it threw while it was being read
  }
}

function missingBranch(
  to: string,
  code: ErrorCode,
  reason: unknown,
  message: string,
): MissingBranch {
  return {
    to: to.slice(0, maxMessageLength),
    code,
    ...(typeof reason === "string" && { reason: reason.slice(0, 100) }),
    message: message.slice(0, maxMessageLength),
  };
}

/** Answers in order, under each librarian's name; a single one as it is. */
function join(branches: readonly Branch[]): Response {
  const [only] = branches;
  if (only !== undefined && branches.length === 1) return withoutDelegate(only.response);
  const { text, isCut } = joinAnswers(branches);
  const sources: Source[] = [];
  const confidences: number[] = [];
  const metadata = new Map<string, unknown>();
  let isPartial = isCut;
  for (const { response } of branches) {
    for (const source of response.sources ?? []) sources.push(source);
    if (response.confidence !== undefined) confidences.push(response.confidence);
    for (const [key, value] of Object.entries(response.metadata ?? {})) {
      if (!metadata.has(key)) metadata.set(key, value); // the first keeps it
    }
    isPartial ||= response.partial === true;
  }
  return {
    answer: text,
    ...(sources.length > 0 && { sources: rankSources(sources).slice(0, responseLimits.items) }),
    ...(confidences.length > 0 && { confidence: mean(confidences) }),
    ...(isPartial && { partial: true }),
    ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
  };
}

/** Joins answers under their librarians' names. Where they are too long together, each gets a share. */
function joinAnswers(branches: readonly Branch[]): { text: string; isCut: boolean } {
  const parts = branches.map(({ name, response }) => `## ${name}\n\n${response.answer}`);
  const length = parts.reduce((sum, part) => sum + part.length + separator.length, 0);
  if (length <= responseLimits.answerLength) return { text: parts.join(separator), isCut: false };
  const share = Math.floor(responseLimits.answerLength / parts.length) - separator.length;
  const cut = parts.map((part) =>
    part.length <= share ? part : `${part.slice(0, share - cutMark.length)}${cutMark}`,
  );
  return { text: cut.join(separator), isCut: true };
}

const separator = "\n\n";
const cutMark = "\n\n[Cut. The whole answer is in metadata.branches.]";

function withoutDelegate({ delegate, merge, ...response }: Response): Response {
  return response;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Adds what cannot be dropped in silence: what is missing, and every branch, whole. */
function withTold(
  response: Response,
  missing: readonly MissingBranch[],
  branches: readonly Branch[],
): Response {
  const { missing: _, ...metadata } = response.metadata ?? {};
  const isPartial =
    missing.length > 0 ||
    response.partial === true ||
    response.error !== undefined ||
    (response.confidence !== undefined && response.confidence < partialBelowConfidence);
  return {
    ...response,
    ...(response.answer !== undefined && isPartial && { partial: true }),
    metadata: { ...metadata, branches, ...(missing.length > 0 && { missing }) },
  };
}

/**
 * Their code if it is one code, else `DELEGATION_FAILED`. What all of them say is said once; where
 * they differ, each is named.
 */
function allFailed(branches: readonly Branch[]): MeshError {
  const errors = branches.flatMap(({ response }) => response.error ?? []);
  const code = shared(errors.map((error) => error.code));
  const reason = shared(errors.map(({ details }) => details?.reason));
  const suggestion =
    code === undefined ? undefined : shared(errors.map((error) => error.suggestion));
  const each = branches.map(({ to, response }) => `${to}: ${response.error?.message}`).join(" ");
  return new MeshError(
    code ?? "DELEGATION_FAILED",
    (shared(errors.map(({ message }) => message)) ?? each).slice(0, maxMessageLength),
    {
      ...(code !== undefined && reason !== undefined && { details: { reason } }),
      suggestion:
        suggestion ?? "Look at metadata.branches: each says what went wrong and what to do.",
    },
  );
}

/** What all of them are; `undefined` when they differ, or are none. */
function shared<Value>(values: readonly Value[]): Value | undefined {
  const [first, ...others] = values;
  return others.every((value) => value === first) ? first : undefined;
}
