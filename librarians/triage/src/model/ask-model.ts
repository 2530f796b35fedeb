import {
  type FitOptions,
  fitSections,
  type Generated,
  generateChecked,
} from "@constellation/authoring";
import type { AIClient, Context, Delegate } from "@constellation/core";
import { remainingMs } from "@constellation/core";
import { type CheckedDecision, checkDecision } from "./check-decision.js";
import { type DelegationDecision, delegationDecisionSchema } from "./delegation-decision.js";
import {
  analysisPrompt,
  analysisSystem,
  decisionPrompt,
  decisionSystem,
  describeDelegate,
  type PromptParts,
} from "./prompt.js";
import { type QueryAnalysis, queryAnalysisSchema } from "./query-analysis.js";

/** Input and limits of the calls of a model. */
export interface ModelQuestion extends PromptParts {
  readonly model: string | undefined;
  /**
   * Maximum time for a step including its repair, in milliseconds; a third of the remaining time if
   * that is shorter.
   */
  readonly analysisTimeoutMs: number;
  readonly decisionTimeoutMs: number;
  /**
   * Returns the candidates for the decision once the query is analysed: the shortlist, and
   * delegates that fit the analysis.
   */
  readonly widen: (analysis: QueryAnalysis) => readonly Delegate[];
}

/** The decision of a model, or the step and reason of its failure. */
export type ModelOutcome =
  | {
      readonly analysis: QueryAnalysis;
      readonly decision: DelegationDecision;
      readonly checked: CheckedDecision;
    }
  | { readonly failure: ModelFailure; readonly analysis?: QueryAnalysis };

/** Why the model's decision was not used. */
export interface ModelFailure {
  readonly step: "analysis" | "decision";
  /**
   * `AI_UNAVAILABLE`, `RATE_LIMITED`, `TIMEOUT`, `no-time`, `no-candidates`, `no-target` or `invalid-reply`.
   */
  readonly reason: string;
}

/** Minimum remaining time for a call, in milliseconds. */
const minTimeoutMs = 20;

/**
 * Asks the model for an analysis, then for a decision. A reply that does not fit is repaired once.
 *
 * @param ends - Ends the calls.
 * @throws MeshError `TIMEOUT` when `ends` aborts, and nothing else.
 */
export async function askModel(
  ai: AIClient,
  question: ModelQuestion,
  context: Context,
  ends: AbortSignal,
): Promise<ModelOutcome> {
  const { model, query, maxDelegates } = question;
  const common = {
    task: "small" as const,
    signal: ends,
    ...(model !== undefined && { model }),
  };
  const analysing = { ...common, system: analysisSystem, schema: queryAnalysisSchema };
  const fitting = (delegates: readonly Delegate[], request: FitOptions["request"]) =>
    fitSections(delegates, describeDelegate, { ai, request, besides: [query.slice(0, 8_000)] });
  const analysed = await generateChecked(
    ai,
    {
      ...analysing,
      prompt: analysisPrompt({ ...question, shortlist: fitting(question.shortlist, analysing) }),
      name: "query_analysis",
      promptId: "triage.analysis",
    },
    { ...stepLimits(question.analysisTimeoutMs, context, ends), check: (value) => ({ value }) },
  );
  if (analysed.outcome === "failed") return failed("analysis", analysed);
  const deciding = { ...common, system: decisionSystem, schema: delegationDecisionSchema };
  const offered = fitting(question.widen(analysed.value), deciding);
  const analysis = boundedAnalysis(analysed.value, offered);
  if (offered.length === 0) {
    return { failure: { step: "decision", reason: "no-candidates" }, analysis };
  }
  const ids = new Set(offered.map(({ id }) => id));
  const decided = await generateChecked(
    ai,
    {
      ...deciding,
      prompt: decisionPrompt({ ...question, shortlist: offered }, analysis),
      name: "delegation_decision",
      promptId: "triage.decision",
    },
    {
      ...stepLimits(question.decisionTimeoutMs, context, ends),
      check(decision) {
        const checked = checkDecision(decision, query, ids, maxDelegates);
        return checked === undefined
          ? { problems: [describeProblem(decision, ids)] }
          : { value: { decision, checked } };
      },
    },
  );
  return decided.outcome === "failed"
    ? { ...failed("decision", decided), analysis }
    : { analysis, ...decided.value };
}

function describeProblem({ strategy }: DelegationDecision, ids: ReadonlySet<string>): string {
  return strategy === "none"
    ? "targets: expected an empty list with strategy none, or another strategy."
    : `targets: expected ids of ${[...ids].join(", ")}.`;
}

function failed(
  step: ModelFailure["step"],
  { reason }: Extract<Generated<unknown>, { outcome: "failed" }>,
): { readonly failure: ModelFailure } {
  return { failure: { step, reason } };
}

/** At most a third of the remaining time including a repair: the delegates need the rest. */
function stepLimits(limitMs: number, context: Context, signal: AbortSignal) {
  const stepMs = Math.min(limitMs, remainingMs(context, { share: 1 / 3 }));
  const endsAt = performance.now() + stepMs;
  const remaining = () => Math.max(0, endsAt - performance.now());
  return { context: { signal, remainingMs: remaining }, timeShare: 1, minTimeoutMs };
}

/** Limits texts to the length that a record allows, and ids to those on the shortlist. */
function boundedAnalysis(analysis: QueryAnalysis, offered: readonly Delegate[]): QueryAnalysis {
  const ids = new Set(offered.map(({ id }) => id));
  const short = (texts: readonly string[]) => texts.slice(0, 20).map((text) => text.slice(0, 100));
  return {
    ...analysis,
    intent: analysis.intent.slice(0, 500),
    domains: short(analysis.domains),
    keywords: short(analysis.keywords),
    suggestedLibrarians: [...new Set(analysis.suggestedLibrarians)].filter((id) => ids.has(id)),
  };
}
