import { type Context, MeshError, type Response } from "@constellation/core";
import { z } from "zod";
import { rawTags } from "../answer/markdown.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Evidence, Finding } from "../diagnosis/finding.js";
import { type SignalType, signalTypes } from "../diagnosis/signal-type.js";
import { promptOf, system } from "./prompt.js";

/** Least time that is worth a call, in milliseconds. */
const leastMs = 500;
/** Share of what remains that a call may take: a runbook is asked after it, and its model wants time too. */
const timeShare = 0.5;
const longestAnswer = 4_000;

/** What the model fills in. */
const replySchema = z.object({
  summary: z.string().min(1).max(1_500),
  signalTypes: z.array(z.enum(signalTypes as unknown as [SignalType, ...SignalType[]])).min(1), // the same list, as zod wants it
  citations: z.array(z.string()).min(1),
});

/** What the model is given. */
export interface ModelQuestion {
  readonly question: string;
  readonly findings: readonly Finding[];
  readonly context: Context;
  readonly signal: AbortSignal;
}

/**
 * Lets the model of a context say it in fewer words. Its summary stands above the answer when it cites
 * only evidence that exists and names only signals that were found; else the answer stays as it is, and
 * `metadata.model` says why. No model is asked for a caller that wants facts alone
 * (`context.metadata.wants` is `facts`): it reads no words.
 *
 * @throws MeshError when the caller no longer waits.
 */
export async function wordWithModel(
  response: Response,
  { question, findings, context, signal }: ModelQuestion,
): Promise<Response> {
  const { ai } = context;
  if (ai === undefined || response.answer === undefined) return response;
  if (context.metadata?.wants === "facts") return response;
  const remains =
    context.remainingMs?.() ?? (context.deadline ?? Number.POSITIVE_INFINITY) - Date.now();
  const timeoutMs = remains * timeShare;
  if (timeoutMs < leastMs) return report(response, "not-used", "no-time");
  const all = findings.slice(0, 6).flatMap(withAllSymptoms);
  const evidence = new Map<string, Evidence>(
    all.flatMap((one) => one.evidence.slice(0, 8)).map((item) => [item.id, item]),
  );
  try {
    const { value } = await ai.analyze({
      system,
      prompt: promptOf({ question, findings: all, evidence: [...evidence.values()] }),
      schema: replySchema,
      name: "cluster_summary",
      maxTokens: 1_024,
      signal,
      ...(Number.isFinite(timeoutMs) && { timeoutMs: Math.floor(timeoutMs) }),
    });
    const found = new Set(all.map((one) => one.signal));
    const strange = value.citations.filter((id) => !evidence.has(id));
    const invented = value.signalTypes.filter((type) => !found.has(type));
    const spoken = signalTypes.filter(
      (type) => new RegExp(`\\b${type}\\b`).test(value.summary) && !found.has(type),
    );
    const wrong = [...strange, ...invented, ...spoken];
    if (wrong.length > 0 || rawTags(value.summary))
      return report(response, "not-used", "violations", wrong);
    const words = `${value.summary.trim()}\n\nRests on: ${[...new Set(value.citations)].map((id) => `\`${id}\``).join(", ")}`;
    const whole = `${words}\n\n${response.answer}`;
    return report(
      whole.length <= longestAnswer ? { ...response, answer: whole } : response,
      whole.length <= longestAnswer ? "used" : "not-used",
      whole.length <= longestAnswer ? undefined : "too-long",
    );
  } catch (thrown) {
    signal.throwIfAborted();
    return report(
      response,
      "not-used",
      thrown instanceof MeshError ? thrown.code : "AI_UNAVAILABLE",
    );
  }
}

function report(
  response: Response,
  outcome: "used" | "not-used",
  reason?: string,
  violations: readonly string[] = [],
): Response {
  const model = {
    outcome,
    ...(reason !== undefined && { reason }),
    ...(violations.length > 0 && {
      violations: violations.slice(0, 10).map((one) => one.slice(0, 200)),
    }),
  };
  return { ...response, metadata: { ...response.metadata, model } };
}
