import type { Response } from "@constellation/core";
import { checkResponse } from "@constellation/testing/evals";
import type { ClusterCase } from "./load-case.js";

/** What one answer got right. */
export interface CaseScore {
  readonly id: string;
  readonly group: string;
  readonly right: boolean;
  readonly signal: boolean;
  readonly resource: boolean;
  readonly mentions: boolean;
  /** Said to be healthy, and it is not. */
  readonly falseHealthy: boolean;
  /** Said not to exist, and it does. */
  readonly falseAbsence: boolean;
  /** Another cause was named than the right one. */
  readonly wrongCause: boolean;
  readonly confidence: number | undefined;
  /** Signal type of the first fact, else the code of the error. */
  readonly got: string;
  /** Of mentions and resource, what is not as expected. */
  readonly wrong: readonly string[];
}

/** Compares an answer with what a case expects: first fact, sources, and words of the answer. */
export function scoreCase({ id, group, expected }: ClusterCase, response: Response): CaseScore {
  const { mustMention, mustNotMention, resources, signalTypes, notFound, readOnly } = expected;
  const said = textOf(response);
  const checked = checkResponse(
    {
      ...(mustMention.length > 0 && { mustMention }),
      ...(mustNotMention.length > 0 && { mustNotMention }),
    },
    { response: { ...response, answer: said } },
  );
  const names = new Set(response.sources?.map(({ name }) => name));
  const resource =
    resources.length === 0 || resources.some((one) => names.has(one.replace(/^\//, "")));
  // The evals of core know nothing of facts, which only this librarian and its readers do.
  const got = firstSignalOf(response);
  const signal = isExpected(got, { signalTypes, notFound }) && (!readOnly || refuses(said));
  const mentions = checked.every(({ passed }) => passed);
  const isFinding = got !== "Healthy" && response.error === undefined && got !== "nothing";
  return {
    id,
    group,
    right: signal && resource && mentions,
    signal,
    resource,
    mentions,
    falseHealthy: got === "Healthy" && !signal,
    falseAbsence: got === "NOT_FOUND" && !notFound,
    wrongCause:
      isFinding && (!signal || checked.some((one) => one.name === "mustNotMention" && !one.passed)),
    confidence: response.confidence,
    got,
    wrong: [
      ...checked.flatMap(({ name, passed, seen }) => (passed ? [] : [`${name}: ${seen}`])),
      ...(resource ? [] : [`sources: none is ${resources.join(" or ")}`]),
    ],
  };
}

/** Share of each confidence, in five bins, that was right. */
export function calibration(
  scores: readonly Pick<CaseScore, "confidence" | "right">[],
): readonly string[] {
  return [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
    const bin = scores.filter(({ confidence = -1 }) => {
      return confidence >= from && (confidence < from + 0.2 || (from === 0.8 && confidence === 1));
    });
    const right = bin.filter((one) => one.right).length;
    const mean = bin.reduce((sum, { confidence = 0 }) => sum + confidence, 0) / bin.length;
    return bin.length === 0
      ? `${from.toFixed(1)}: none`
      : `${from.toFixed(1)}: ${right} of ${bin.length} right at ${mean.toFixed(2)}`;
  });
}

function isExpected(
  got: string,
  { signalTypes, notFound }: Pick<ClusterCase["expected"], "signalTypes" | "notFound">,
): boolean {
  if (notFound) return got === "NOT_FOUND";
  if (signalTypes.includes(got)) return true;
  return signalTypes.includes(null) && (got === "nothing" || got === "Healthy");
}

/** True when the first sentence says that only reading is possible. */
function refuses(said: string): boolean {
  return /only reads|never reads|does not read|read-only/i.test(said.slice(0, 200));
}

function textOf({ answer, error }: Response): string {
  return [answer, error?.message, error?.suggestion]
    .filter((part) => part !== undefined)
    .join("\n");
}

function firstSignalOf({ metadata, error }: Response): string {
  const facts = metadata?.facts;
  const first: unknown = Array.isArray(facts) ? facts[0] : undefined;
  return typeof first === "object" && first !== null && "signal_type" in first
    ? String(first.signal_type)
    : (error?.code ?? "nothing");
}
