import type { Response } from "@constellation/core";
import type { ClusterCase } from "./load-case.js";

/** What one answer got right. */
export interface CaseScore {
  readonly id: string;
  readonly right: boolean;
  readonly signal: boolean;
  readonly resource: boolean;
  readonly mentions: boolean;
  /** What the answer said, and what it lacks or says too much. */
  readonly got: string;
  readonly lacks: readonly string[];
  readonly tooMuch: readonly string[];
}

/** Compares an answer with what a case expects: first fact, sources, and words of the answer. */
export function scoreCase(
  { id, expected }: ClusterCase,
  { answer = "", sources = [], metadata, error }: Response,
): CaseScore {
  const facts = metadata?.facts;
  const first: unknown = Array.isArray(facts) ? facts[0] : undefined;
  const got =
    typeof first === "object" && first !== null && "signal_type" in first
      ? String(first.signal_type)
      : (error?.code ?? "nothing");
  const text = answer.toLowerCase();
  const lacks = expected.mustMention
    .filter((wanted) => ![wanted].flat().some((one) => text.includes(one.toLowerCase())))
    .map((wanted) => [wanted].flat().join(" | "));
  const tooMuch = expected.mustNotMention.filter((one) => text.includes(one.toLowerCase()));
  const names = sources.map(({ name }) => name.split("#")[0]);
  const resource =
    expected.resource === undefined || names.includes(expected.resource.replace(/^\//, ""));
  const signal = got === expected.signalType;
  const mentions = lacks.length === 0 && tooMuch.length === 0;
  return {
    id,
    right: signal && resource && mentions,
    signal,
    resource,
    mentions,
    got,
    lacks,
    tooMuch,
  };
}
