import type { AIClient, Context } from "@constellation/core";
import { generateChecked } from "@constellation/core/authoring";
import { type CheckedDecision, checkDecision } from "./check-decision.js";
import { type DelegationDecision, delegationDecisionSchema } from "./delegation-decision.js";
import {
  analysisPrompt,
  analysisSystem,
  decisionPrompt,
  decisionSystem,
  type PromptParts,
} from "./prompt.js";
import { type QueryAnalysis, queryAnalysisSchema } from "./query-analysis.js";

/** What a model is asked, and within which limits. */
export interface ModelQuestion extends PromptParts {
  readonly model: string | undefined;
  readonly analysisTimeoutMs: number;
  readonly decisionTimeoutMs: number;
}

/** What a model decided, or where and why it failed. */
export type ModelOutcome =
  | {
      readonly analysis: QueryAnalysis;
      readonly decision: DelegationDecision;
      readonly checked: CheckedDecision;
    }
  | { readonly failure: ModelFailure; readonly analysis?: QueryAnalysis };

/** Why a model was not followed. */
export interface ModelFailure {
  readonly step: "analysis" | "decision";
  /** `AI_UNAVAILABLE`, `RATE_LIMITED`, `TIMEOUT`, `no-time`, or `invalid-reply`. */
  readonly reason: string;
}

/** Shortest time that is worth a call, in milliseconds. */
const minTimeoutMs = 20;

/**
 * Asks the model for an analysis, then for a decision.
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
  const common = {
    maxTokens: 1_024,
    signal: ends,
    ...(question.model !== undefined && { model: question.model }),
  };
  // The delegates need the rest of the time.
  const limits = { context, maxAttempts: 1, timeShare: 1 / 3, minTimeoutMs };

  const analysed = await generateChecked(
    ai,
    {
      ...common,
      system: analysisSystem,
      prompt: analysisPrompt(question),
      schema: queryAnalysisSchema,
      name: "query_analysis",
      timeoutMs: question.analysisTimeoutMs,
    },
    { ...limits, check: (draft) => ({ value: boundedAnalysis(draft, question) }) },
  );
  if (analysed.outcome === "failed") {
    return { failure: { step: "analysis", reason: analysed.reason } };
  }
  const analysis = analysed.value;

  const { query, shortlist, maxDelegates } = question;
  const ids = new Set(shortlist.map(({ id }) => id));
  const decided = await generateChecked(
    ai,
    {
      ...common,
      system: decisionSystem,
      prompt: decisionPrompt(question, analysis),
      schema: delegationDecisionSchema,
      name: "delegation_decision",
      timeoutMs: question.decisionTimeoutMs,
    },
    {
      ...limits,
      check: (decision) => {
        const checked = checkDecision(decision, query, ids, maxDelegates);
        return checked === undefined
          ? { problems: ["The decision has no delegate of the list."] }
          : { value: { decision, checked } };
      },
    },
  );
  if (decided.outcome === "failed") {
    return { failure: { step: "decision", reason: decided.reason }, analysis };
  }
  return { analysis, ...decided.value };
}

/** Texts of a length that a record can hold, and ids of the shortlist only. */
function boundedAnalysis(analysis: QueryAnalysis, { shortlist }: PromptParts): QueryAnalysis {
  const ids = new Set(shortlist.map(({ id }) => id));
  const short = (texts: readonly string[]) => texts.slice(0, 20).map((text) => text.slice(0, 100));
  return {
    ...analysis,
    intent: analysis.intent.slice(0, 500),
    domains: short(analysis.domains),
    keywords: short(analysis.keywords),
    suggestedLibrarians: [...new Set(analysis.suggestedLibrarians)].filter((id) => ids.has(id)),
  };
}
