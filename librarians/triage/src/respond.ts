import type { Delegate, ErrorInfo, Response, UnavailableDelegate } from "@constellation/core";
import type { ModelFailure, ModelOutcome } from "./model/ask-model.js";
import { plainLine } from "./plain-line.js";
import type { Choice, RankedMatch } from "./ranked/choose-delegates.js";
import { askBack, outOfDomain } from "./refusal.js";
import type { TriageReport, TriageTarget } from "./triage-report.js";
import { notAvailable } from "./unavailable.js";

/** How sure a match of words is of itself. */
const rankedConfidence = 0.5;
/** Maximum number of candidates that a report names. */
export const maxReported = 5;
/** Maximum number of characters of a reason in the run record. */
const maxReasonLength = 300;

/** What a response is made of. */
export interface Chosen {
  /** Id of the librarian that chose. */
  readonly id: string;
  /** Whom it could choose. */
  readonly delegates: readonly Delegate[];
  readonly match: RankedMatch;
  /** Those that fit the query and are not available. */
  readonly needed: readonly UnavailableDelegate[];
  /** The outcome of the comparison by meaning, where there was one. */
  readonly meaning?: TriageReport["meaning"];
}

/** The response where the match decides. */
export function rankedResponse(
  chosen: Chosen,
  failed?: Extract<ModelOutcome, { failure: unknown }>,
): Response {
  const { choices, notAsked, tied } = chosen.match;
  const note = failureNote(failed?.failure);
  const targets = choices.map(
    (choice): TriageTarget => ({
      to: choice.to,
      query: choice.query,
      reason: plainLine(`${reasonOf(choice)}${note}`, maxReasonLength),
    }),
  );
  const report: TriageReport = {
    method: "ranked",
    strategy: strategyOf(targets),
    confidence: rankedConfidence,
    targets,
    candidates: reported(chosen.match),
    ...(chosen.meaning !== undefined && { meaning: chosen.meaning }),
    ...(tied.length > 0 && { tied: tied.slice(0, 16).map(({ id }) => id) }),
    ...(notAsked.length > 0 && { notAsked }),
    ...(failed !== undefined && { fallback: failed.failure }),
    ...(failed?.analysis !== undefined && { analysis: failed.analysis }),
  };
  return responseOf(chosen, report);
}

/** The response where a model decided. */
export function modelResponse(
  chosen: Chosen,
  { analysis, decision, checked }: Extract<ModelOutcome, { checked: unknown }>,
): Response {
  const reasoning = plainLine(decision.reasoning, maxReasonLength);
  const reason = reasoning === "" ? "the model chose it" : `the model chose it: ${reasoning}`;
  const { strategy, ignored } = checked;
  const targets = checked.targets.map(
    (target): TriageTarget => ({ ...target, reason: plainLine(reason, maxReasonLength) }),
  );
  const report: TriageReport = {
    method: "model",
    strategy,
    confidence: analysis.analysisConfidence,
    targets,
    candidates: reported(chosen.match),
    analysis,
    reasoning,
    expectedImprovement: decision.expectedImprovement,
    ...(ignored.length > 0 && { ignored }),
  };
  return responseOf(chosen, report);
}

function responseOf(chosen: Chosen, report: TriageReport): Response {
  const { needed } = chosen;
  const unavailable = needed.length > 0 && { unavailable: needed.map(({ id }) => id) };
  const metadata = { triage: { ...report, ...unavailable } };
  const [first, ...others] = report.targets.map(({ to, query, reason }) => ({
    to,
    query,
    context: { reason },
  }));
  if (first === undefined) return { error: refusalOf(chosen, report), metadata };
  const delegate = others.length === 0 ? first : [first, ...others];
  return { delegate, confidence: report.confidence, metadata };
}

function refusalOf({ id, delegates, match, needed }: Chosen, report: TriageReport): ErrorInfo {
  // The record of a run keeps the message of an error, and no metadata.
  const note = failureNote(report.fallback);
  if (report.method === "ranked" && match.tied.length > 0) return askBack(id, match.tied, note);
  const [first, ...others] = needed;
  if (first !== undefined) return notAvailable(id, [first, ...others], note);
  const closest = match.candidates.map(({ delegate }) => delegate);
  return outOfDomain(id, delegates, closest, note);
}

function reasonOf({ words, score, isOfTeam }: Choice): string {
  const match = `(match ${score.toFixed(2)})`;
  const why =
    words.length > 0
      ? `it knows about ${words.join(", ")} ${match}`
      : `its meaning is near ${match}`;
  return isOfTeam === true ? `${why}; of several that fit it is your team's` : why;
}

function strategyOf(targets: readonly TriageTarget[]): TriageReport["strategy"] {
  if (targets.length === 0) return "none";
  return targets.length === 1 ? "single" : "multiple";
}

function reported({ candidates }: RankedMatch): TriageReport["candidates"] {
  return candidates
    .slice(0, maxReported)
    .map(({ delegate, score }) => ({ id: delegate.id, score: Math.round(score * 1_000) / 1_000 }));
}

function failureNote(failure: ModelFailure | undefined): string {
  return failure === undefined
    ? ""
    : `; by its words, because the model's ${failure.step} failed (${failure.reason})`;
}
