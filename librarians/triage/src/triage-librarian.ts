import type { Context, Delegate, LibrarianDefinition, Response } from "@constellation/core";
import { defineLibrarian, parseOptions, withoutUndefined } from "@constellation/core/authoring";
import { createAnalyzer } from "@constellation/retrieval";
import { askModel, type ModelFailure, type ModelOutcome } from "./model/ask-model.js";
import { optionsSchema, type TriageLibrarianOptions, triageLibrarianDefaults } from "./options.js";
import { plainLine } from "./plain-line.js";
import { chooseDelegates, type RankedMatch } from "./ranked/choose-delegates.js";
import { earlierQuestion } from "./ranked/earlier-question.js";
import { createIndexCache } from "./ranked/index-cache.js";
import { createWordReader } from "./ranked/query-words.js";
import { outOfDomain } from "./refusal.js";
import type { TriageReport, TriageTarget } from "./triage-report.js";

/** How sure a match of words is of itself. */
const rankedConfidence = 0.5;
/** Maximum number of candidates that a report names. */
const maxReported = 5;
/** Maximum number of characters of a reason in the run record. */
const maxReasonLength = 300;

/**
 * Creates a librarian that answers nothing itself: it reads `context.availableDelegates` and passes
 * the query to the one who can answer it, or to several with a part each.
 *
 * Without a model it matches the words of the query with what the delegates say about themselves.
 * With `context.ai` a model analyses the query and decides among the best of that match; where it
 * fails or is late, the match stands. It delegates only to available librarians, never to itself,
 * and says why in `delegate.context.reason` and in `metadata.triage`. A query that fits none of them is
 * `NOT_FOUND` (`out-of-domain`), a blank one `INVALID_QUERY`, and `TIMEOUT` means that the caller no
 * longer waits. It never rejects.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createTriageLibrarian(options: TriageLibrarianOptions = {}): LibrarianDefinition {
  const checked = parseOptions(optionsSchema, options);
  const settings = { ...triageLibrarianDefaults, ...withoutUndefined(checked) };
  const { id, description, maxDelegates, threshold, shortlist } = settings;
  const analyzer = createAnalyzer();
  const readWords = createWordReader(analyzer);
  const indexOf = createIndexCache(analyzer);

  async function triage(query: string, context: Context, signal: AbortSignal): Promise<Response> {
    const { ai, availableDelegates: delegates = [] } = context;
    const own = context.librarian?.id ?? id;
    const found = await indexOf(delegates, [own, id], signal);
    const limits = { maxDelegates, threshold, candidates: Math.max(shortlist, maxReported) };
    const earlier = earlierQuestion(query, context.metadata);
    const whole = earlier === undefined ? query : `${earlier} ${query.trim()}`;
    const match = following(earlier, chooseDelegates(query, found, readWords, limits), () =>
      chooseDelegates(whole, found, readWords, limits),
    );
    const best = match.candidates.map(({ delegate }) => delegate);
    const others = othersOf(delegates, own, id);
    const shown = shortlistOf(best, others, shortlist);
    if (ai === undefined || !settings.useModel || shown.length === 0) {
      return rankedResponse(own, others, match);
    }
    const question = { ...settings, model: checked.model, query: whole.trim(), shortlist: shown };
    const outcome = await askModel(ai, question, context, signal);
    return "failure" in outcome
      ? rankedResponse(own, others, match, outcome)
      : modelResponse(own, others, match, outcome);
  }

  const { name, team, capabilities, examples, delegatesTo, timeoutMs } = checked;
  const details = {
    ...withoutUndefined({ name, team, capabilities, examples, delegatesTo, timeoutMs }),
    id,
    description,
  };
  return defineLibrarian(details, triage);
}

/** Adds the earlier question for those who fit a follow-up; where none does, chooses those who fit both together. */
function following(
  earlier: string | undefined,
  match: RankedMatch,
  together: () => RankedMatch,
): RankedMatch {
  if (earlier === undefined) return match;
  if (match.choices.length === 0) return together();
  const choices = match.choices.map((one) => ({ ...one, query: `${earlier} ${one.query}` }));
  return { ...match, choices };
}

function rankedResponse(
  id: string,
  delegates: readonly Delegate[],
  match: RankedMatch,
  failed?: Extract<ModelOutcome, { failure: unknown }>,
): Response {
  const { choices, notAsked } = match;
  const targets = choices.map(
    ({ to, query, score, words }): TriageTarget => ({
      to,
      query,
      reason: plainLine(
        `it knows about ${words.join(", ")} (match ${score.toFixed(2)})${failureNote(failed?.failure)}`,
        maxReasonLength,
      ),
    }),
  );
  const report: TriageReport = {
    method: "ranked",
    strategy: strategyOf(targets),
    confidence: rankedConfidence,
    targets,
    candidates: reported(match),
    ...(notAsked.length > 0 && { notAsked }),
    ...(failed !== undefined && { fallback: failed.failure }),
    ...(failed?.analysis !== undefined && { analysis: failed.analysis }),
  };
  return responseOf(id, delegates, match, report);
}

function modelResponse(
  id: string,
  delegates: readonly Delegate[],
  match: RankedMatch,
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
    candidates: reported(match),
    analysis,
    reasoning,
    expectedImprovement: decision.expectedImprovement,
    ...(ignored.length > 0 && { ignored }),
  };
  return responseOf(id, delegates, match, report);
}

function responseOf(
  id: string,
  delegates: readonly Delegate[],
  { candidates }: RankedMatch,
  report: TriageReport,
): Response {
  const metadata = { triage: report };
  const [first, ...others] = report.targets.map(({ to, query, reason }) => ({
    to,
    query,
    context: { reason },
  }));
  if (first === undefined) {
    const closest = candidates.map(({ delegate }) => delegate);
    // The record of a run keeps the message of an error, and no metadata.
    const note = failureNote(report.fallback);
    return { error: outOfDomain(id, delegates, closest, note), metadata };
  }
  const delegate = others.length === 0 ? first : [first, ...others];
  return { delegate, confidence: report.confidence, metadata };
}

/** Few enough to be named one by one: the rest of the list is not looked at. */
const maxOthers = 101;

function othersOf(delegates: readonly Delegate[], own: string, id: string): readonly Delegate[] {
  return delegates.slice(0, maxOthers + 2).filter((each) => each.id !== own && each.id !== id);
}

/** The best of the match; where all delegates have room, all. */
function shortlistOf(
  best: readonly Delegate[],
  delegates: readonly Delegate[],
  limit: number,
): readonly Delegate[] {
  const all = delegates.length <= limit ? delegates : [];
  return [...new Set([...best, ...all])].slice(0, limit);
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
