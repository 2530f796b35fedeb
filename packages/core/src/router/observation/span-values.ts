import type { Span } from "@opentelemetry/api";
import type { Response } from "../../contract/response.js";
import type { UsageRecord } from "../../events/usage.js";
import { attributes } from "../../tracing/attributes.js";
import { messageOf } from "../../tracing/spans.js";
import type { Hop } from "../run/model.js";

/**
 * Notes on the span of a hop what is known when it starts. One by one: an object of them costs as much as the
 * span keeping them.
 */
export function setHop(span: Span, hop: Hop, withContent: boolean): void {
  const { parent, depth, via, observation, query, extras } = hop;
  span.setAttribute(attributes.hopId, observation?.id ?? 0);
  span.setAttribute(attributes.depth, depth);
  span.setAttribute(attributes.mode, via);
  span.setAttribute(attributes.attempt, extras?.attempt ?? 1);
  if (parent !== undefined) span.setAttribute(attributes.from, parent.to);
  const { replay, waitedMs = 0 } = extras ?? {};
  if (replay !== undefined) span.setAttribute(attributes.shared, replay.from);
  if (waitedMs > 0) span.setAttribute(attributes.waitedMs, waitedMs);
  if (withContent) span.setAttribute(attributes.inputMessages, messageOf("user", query));
}

/** Notes confidence and sources of an answer. */
export function setAnswer(span: Span, { confidence, sources }: Response): void {
  if (confidence !== undefined) span.setAttribute(attributes.confidence, confidence);
  if (sources !== undefined) span.setAttribute(attributes.sourcesCount, sources.length);
}

/** Notes what models used, where one was called. */
export function setUsage(span: Span, usage: UsageRecord | undefined): void {
  if (usage === undefined || usage.modelCalls === 0) return;
  const { inputTokens, outputTokens, cacheReadTokens, costUsd, estimated, modelCalls } = usage;
  span.setAttribute(attributes.inputTokens, inputTokens);
  span.setAttribute(attributes.outputTokens, outputTokens);
  span.setAttribute(attributes.modelCalls, modelCalls);
  if (cacheReadTokens !== undefined) span.setAttribute(attributes.cacheReadTokens, cacheReadTokens);
  if (costUsd !== undefined) span.setAttribute(attributes.costUsd, costUsd);
  if (estimated === true) span.setAttribute(attributes.usageEstimated, true);
}

/** Length of what should be an array: a librarian may have written it. */
export function countOf(missing: unknown): number | undefined {
  try {
    return Array.isArray(missing) ? missing.length : undefined;
  } catch {
    return undefined; // a revoked proxy
  }
}
