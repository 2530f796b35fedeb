import { firstLine } from "@constellation/authoring";
import type { Delegate, ErrorInfo, Response, UnavailableDelegate } from "@constellation/core";
import type { ModelFailure, ModelOutcome } from "./model/ask-model.js";
import { toPlainLine } from "./plain-line.js";
import type { Choice, RankedMatch } from "./ranked/choose-delegates.js";
import { askBack, notAvailable, outOfDomain } from "./refusal.js";
import type { TriageReport, TriageTarget } from "./triage-report.js";

/** Confidence of a match of words. */
const rankedConfidence = 0.5;
/** Confidence of an offer instead of an answer. */
const offerConfidence = 0.5;
/** Maximum number of acts that an offer names. */
const maxActs = 6;
/** Maximum number of candidates that a report names. */
export const maxReported = 5;
/** Maximum number of characters of a reason in the run record. */
const maxReasonLength = 300;

/** Input of a response. */
export interface Chosen {
  /** Id of the librarian that chose. */
  readonly id: string;
  /** The delegates it could choose. */
  readonly delegates: readonly Delegate[];
  readonly match: RankedMatch;
  /** Delegates that fit the query but are not available. */
  readonly needed: readonly UnavailableDelegate[];
  /** The outcome of the comparison by meaning, where there was one. */
  readonly meaning?: TriageReport["meaning"];
}

/** The response when the match decides. */
export function rankedResponse(
  chosen: Chosen,
  failed?: Extract<ModelOutcome, { failure: unknown }>,
): Response {
  const { choices, notAsked, tied, offers, untaken } = chosen.match;
  const note = failureNote(failed?.failure);
  const targets = choices.map(
    (choice): TriageTarget => ({
      to: choice.to,
      query: choice.query,
      reason: toPlainLine(`${explainChoice(choice)}${note}`, maxReasonLength),
    }),
  );
  const report: TriageReport = {
    method: "ranked",
    strategy: toStrategy(targets),
    confidence: rankedConfidence,
    targets,
    candidates: reported(chosen.match),
    ...namedIf(
      "alternatives",
      choices.flatMap(({ to, isAlternative }) => (isAlternative ? to : [])),
    ),
    ...namedIf(
      "offered",
      offers.map(({ delegate }) => delegate.id),
    ),
    ...namedIf("untaken", untaken),
    ...(chosen.meaning !== undefined && { meaning: chosen.meaning }),
    ...(tied.length > 0 && { tied: tied.slice(0, 16).map(({ id }) => id) }),
    ...(notAsked.length > 0 && { notAsked }),
    ...(failed !== undefined && { fallback: failed.failure }),
    ...(failed?.analysis !== undefined && { analysis: failed.analysis }),
  };
  return toResponse(chosen, report);
}

/** Minimum number of librarians from which on naming as many as may be asked is no choice. */
const minBroad = 3;

/** The response when a model decided. */
export function modelResponse(
  chosen: Chosen,
  { analysis, decision, checked }: Extract<ModelOutcome, { checked: unknown }>,
  maxDelegates: number,
): Response {
  const reasoning = toPlainLine(decision.reasoning, maxReasonLength);
  const reason = reasoning === "" ? "the model chose it" : `the model chose it: ${reasoning}`;
  const { strategy } = checked;
  const named = checked.targets.map(
    (target): TriageTarget => ({ ...target, reason: toPlainLine(reason, maxReasonLength) }),
  );
  // What the words of the query find is asked as it is without a model. A model that names as many as may be asked
  // has not chosen: it adds to them only where they leave a part open.
  const { choices, tied, untaken } = chosen.match;
  const isOpen = choices.length === 0 || tied.length > 0 || untaken.length > 0;
  const hasChosen = named.length < Math.max(maxDelegates, minBroad);
  const kept = choices.flatMap((choice): TriageTarget | readonly never[] => {
    const own = named.find(({ to }) => to === choice.to);
    if (own === undefined && choice.isAlternative === true) return [];
    const { to, query } = choice;
    return own ?? { to, query, reason: toPlainLine(explainChoice(choice), maxReasonLength) };
  });
  const added = named.filter(({ to }) => !choices.some((choice) => choice.to === to));
  const targets = [...kept, ...(isOpen || hasChosen ? added : [])].slice(0, maxDelegates);
  const ignored =
    isOpen || hasChosen || added.length === 0
      ? checked.ignored
      : [...checked.ignored, "targets that the words do not find, of as many as may be asked"];
  const report: TriageReport = {
    method: "model",
    strategy: targets.length === named.length ? strategy : toStrategy(targets),
    confidence: analysis.analysisConfidence,
    targets,
    candidates: reported(chosen.match),
    analysis,
    reasoning,
    expectedImprovement: decision.expectedImprovement,
    ...(ignored.length > 0 && { ignored }),
  };
  return toResponse(chosen, report);
}

function toResponse(chosen: Chosen, report: TriageReport): Response {
  const { needed } = chosen;
  const unavailable = needed.length > 0 && { unavailable: needed.map(({ id }) => id) };
  const metadata = { triage: { ...report, ...unavailable } };
  const [first, ...others] = report.targets.map(({ to, query, reason }) => ({
    to,
    query,
    context: { reason },
  }));
  const said = report.method === "ranked" ? sayUnasked(chosen.match) : "";
  if (first === undefined) {
    return said === "" || chosen.match.offers.length === 0
      ? { error: toRefusal(chosen, report), metadata }
      : {
          answer: said,
          headline: firstLine(said),
          partial: true,
          confidence: offerConfidence,
          metadata,
        };
  }
  const delegate = others.length === 0 ? first : [first, ...others];
  const answer = said !== "" && { answer: said, headline: firstLine(said), partial: true };
  return { ...answer, delegate, confidence: report.confidence, metadata };
}

function namedIf<Key extends string>(key: Key, names: readonly string[]) {
  return names.length > 0 ? { [key]: names } : {};
}

/** What a query did not order plainly enough, and what no librarian takes. */
function sayUnasked({ offers, untaken, choices }: RankedMatch): string {
  const offered = offers.map(({ delegate }) => offerText(delegate));
  const open = untaken.map(
    (text) => `No librarian here answers this part: "${toPlainLine(text, maxReasonLength)}"`,
  );
  // An answer of others says enough where it is what was asked for.
  return [...(choices.length === 0 ? offered : []), ...open].join("\n\n");
}

function offerText({ id, name = id, acts = [], examples = [] }: Delegate): string {
  const [example] = examples;
  const can = acts.slice(0, maxActs).join(", ");
  const what = can === "" ? "It changes something" : `It can ${toPlainLine(can, maxReasonLength)}`;
  const how =
    acts.length === 0
      ? "ask it by its id"
      : `say so plainly${example === undefined ? "" : `, such as "${toPlainLine(example, maxReasonLength)}"`}`;
  return `This is a subject of ${toPlainLine(name, 80)}. ${what}, and nothing was done: to have it done, ${how}.`;
}

function toRefusal({ id, delegates, match, needed }: Chosen, report: TriageReport): ErrorInfo {
  // The record of a run keeps the message of an error, and no metadata.
  const note = failureNote(report.fallback);
  if (report.method === "ranked" && match.tied.length > 0) return askBack(id, match.tied, note);
  const [first, ...others] = needed;
  if (first !== undefined) return notAvailable(id, [first, ...others], note);
  return outOfDomain(id, delegates, note);
}

function explainChoice({ words, score, isOfTeam, act, isFollowUp, isAlternative }: Choice): string {
  if (act !== undefined) return `the query orders it to ${act}`;
  if (isFollowUp === true) return "it answered the question before";
  const match = `(match ${score.toFixed(2)}${isAlternative === true ? ", besides another" : ""})`;
  const why =
    words.length > 0
      ? `it knows about ${words.join(", ")} ${match}`
      : `it is close in meaning or content ${match}`;
  return isOfTeam === true ? `${why}; among several that fit, it belongs to your team` : why;
}

function toStrategy(targets: readonly TriageTarget[]): TriageReport["strategy"] {
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
