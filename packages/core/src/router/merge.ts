import { isErrorCode } from "../contract/error-code.js";
import type { Branch } from "../contract/merge-strategy.js";
import { MeshError } from "../contract/mesh-error.js";
import type { MissingBranch, Response, Source } from "../contract/response.js";
import { isRecord } from "../contract/unknown-value.js";
import { partialBelowConfidence, rankSources } from "../contract/validate-response.js";
import { whyClosed } from "./guard.js";
import type { Hop } from "./hop.js";
import { MergeCall } from "./merge-call.js";
import type { Arrival, CustomMerge, Strategy } from "./strategy.js";

/** Most characters of a message made of several. */
const longestMessage = 2_000;

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
  missing.push(...notAsked);

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
  const merged = await new MergeCall(hop, merge, all, timeoutMs).outcome();
  if (merged.answer !== undefined || merged.error === undefined) return merged;
  return recover(joined, merged.error);
}

function branchOf({ to, entry }: Hop, response: Response): Branch {
  return { to, name: entry?.info.name ?? to, response };
}

/** Adds a branch that failed, or those that were missing in a branch that answered. */
function addMissing(missing: MissingBranch[], { to, response }: Branch): void {
  const { answer, error, metadata } = response;
  if (error !== undefined) {
    const { code, message, details } = error;
    const reason = details?.reason;
    missing.push({ to, code, ...(typeof reason === "string" && { reason }), message });
  }
  const below: unknown = metadata?.missing;
  if (answer !== undefined && Array.isArray(below)) missing.push(...below.flatMap(readMissing));
}

/** A branch that was missing further down, as far as it is one: a librarian may have written it. */
function readMissing(value: unknown): readonly MissingBranch[] {
  try {
    const { to, code, reason, message } = isRecord(value) ? value : {};
    if (typeof to !== "string" || !isErrorCode(code) || typeof message !== "string") return [];
    return [{ to, code, ...(typeof reason === "string" && { reason }), message }];
  } catch {
    return []; // it threw while it was being read
  }
}

/** Answers in order, under each librarian's name; a single one as it is. */
function join(branches: readonly Branch[]): Response {
  const [only] = branches;
  if (only !== undefined && branches.length === 1) return withoutDelegate(only.response);
  const answers: string[] = [];
  const sources: Source[] = [];
  const confidences: number[] = [];
  const metadata = new Map<string, unknown>();
  let isPartial = false;
  for (const { name, response } of branches) {
    answers.push(`## ${name}\n\n${response.answer}`);
    if (response.sources !== undefined) sources.push(...response.sources);
    if (response.confidence !== undefined) confidences.push(response.confidence);
    for (const [key, value] of Object.entries(response.metadata ?? {})) {
      if (!metadata.has(key)) metadata.set(key, value); // the first keeps it
    }
    isPartial ||= response.partial === true;
  }
  return {
    answer: answers.join("\n\n"),
    ...(sources.length > 0 && { sources: rankSources(sources) }),
    ...(confidences.length > 0 && { confidence: mean(confidences) }),
    ...(isPartial && { partial: true }),
    ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
  };
}

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
    (shared(errors.map(({ message }) => message)) ?? each).slice(0, longestMessage),
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
