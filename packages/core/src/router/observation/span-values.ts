import type { Attributes, Span } from "@opentelemetry/api";
import type { Response } from "../../contract/response.js";
import type { UsageRecord } from "../../events/usage.js";
import { attributes } from "../../tracing/attributes.js";
import { messageOf } from "../../tracing/spans.js";
import type { Hop } from "../run/model.js";

/** What the span of a hop says from its start. */
export function hopValues(hop: Hop, withContent: boolean): Attributes {
  const { parent, to, depth, via, observation, query } = hop;
  const values: Attributes = {
    [attributes.operationName]: "invoke_agent",
    [attributes.agentName]: to,
    [attributes.librarianId]: to,
    [attributes.hopId]: observation?.id ?? 0,
    [attributes.depth]: depth,
    [attributes.mode]: via,
    [attributes.attempt]: hop.extras?.attempt ?? 1,
  };
  if (parent !== undefined) values[attributes.from] = parent.to;
  const { replay, waitedMs = 0 } = hop.extras ?? {};
  if (replay !== undefined) values[attributes.shared] = replay.from;
  if (waitedMs > 0) values[attributes.waitedMs] = waitedMs;
  if (withContent) values[attributes.inputMessages] = messageOf("user", query);
  return values;
}

/** Notes confidence and sources of an answer. */
export function setAnswer(span: Span, { confidence, sources }: Response): void {
  if (confidence !== undefined) span.setAttribute(attributes.confidence, confidence);
  if (sources !== undefined) span.setAttribute(attributes.sourcesCount, sources.length);
}

/** Notes what models used, where one was called. */
export function setUsage(span: Span, usage: UsageRecord | undefined): void {
  if (usage === undefined || usage.modelCalls === 0) return;
  const { inputTokens, outputTokens, cacheReadTokens, costUsd, modelCalls } = usage;
  span.setAttribute(attributes.inputTokens, inputTokens);
  span.setAttribute(attributes.outputTokens, outputTokens);
  span.setAttribute(attributes.modelCalls, modelCalls);
  if (cacheReadTokens !== undefined) span.setAttribute(attributes.cacheReadTokens, cacheReadTokens);
  if (costUsd !== undefined) span.setAttribute(attributes.costUsd, costUsd);
}

/** Length of what should be an array: a librarian may have written it. */
export function countOf(missing: unknown): number | undefined {
  try {
    return Array.isArray(missing) ? missing.length : undefined;
  } catch {
    return undefined; // a revoked proxy
  }
}
