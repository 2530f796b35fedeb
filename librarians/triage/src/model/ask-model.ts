import { type AIClient, type Context, MeshError } from "@constellation/core";
import { remainingMs, throwIfAborted, withDeadline } from "@constellation/core/authoring";
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
  /** `AI_UNAVAILABLE`, `RATE_LIMITED`, `TIMEOUT`, `no-time`, or `invalid-decision`. */
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
  let step: ModelFailure["step"] = "analysis";
  let analysis: QueryAnalysis | undefined;
  const failed = (reason: string): ModelOutcome => ({
    failure: { step, reason },
    ...(analysis !== undefined && { analysis }),
  });
  const common = {
    maxTokens: 1_024,
    ...(question.model !== undefined && { model: question.model }),
  };
  try {
    const analysisMs = timeFor(question.analysisTimeoutMs, context);
    if (analysisMs < minTimeoutMs) return failed("no-time");
    const analysed = await withDeadline(limitsOf(analysisMs, ends), (signal) =>
      ai.analyze({
        ...common,
        system: analysisSystem,
        prompt: analysisPrompt(question),
        schema: queryAnalysisSchema,
        name: "query_analysis",
        signal,
        timeoutMs: analysisMs,
      }),
    );
    analysis = boundedAnalysis(analysed.value, question);
    step = "decision";
    const decisionMs = timeFor(question.decisionTimeoutMs, context);
    if (decisionMs < minTimeoutMs) return failed("no-time");
    const prompt = decisionPrompt(question, analysis);
    const { value: decision } = await withDeadline(limitsOf(decisionMs, ends), (signal) =>
      ai.analyze({
        ...common,
        system: decisionSystem,
        prompt,
        schema: delegationDecisionSchema,
        name: "delegation_decision",
        signal,
        timeoutMs: decisionMs,
      }),
    );
    const { query, shortlist, maxDelegates } = question;
    const ids = new Set(shortlist.map(({ id }) => id));
    const checked = checkDecision(decision, query, ids, maxDelegates);
    return checked === undefined ? failed("invalid-decision") : { analysis, decision, checked };
  } catch (thrown) {
    throwIfAborted(ends);
    return failed(thrown instanceof MeshError ? thrown.code : "AI_UNAVAILABLE");
  }
}

/** A third of what remains at most: the delegates need the rest. Whole milliseconds. */
function timeFor(limitMs: number, context: Context): number {
  return Math.floor(Math.min(limitMs, remainingMs(context, { share: 1 / 3 })));
}

function limitsOf(timeoutMs: number, signal: AbortSignal) {
  return { signal, timeoutMs, message: "The model was too slow." };
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
