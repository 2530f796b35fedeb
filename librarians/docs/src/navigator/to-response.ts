import type { Response, Source } from "@constellation/core";
import { toHeadline } from "../extract/compose.js";
import type { NavigatorConfidence, NavigatorResponse } from "./navigator-response.js";

/** The confidence levels as numbers. */
export const confidenceNumbers = {
  high: 0.9,
  medium: 0.7,
  low: 0.4,
} as const satisfies Record<NavigatorConfidence, number>;

/** Where a source is, beside its file and heading. */
export interface SourcePlace {
  readonly url?: string | undefined;
  /** First and last line, `12-30`: for a heading that its page has more than once. */
  readonly lines?: string | undefined;
}

/** Options of {@link toResponse}. */
export interface ToResponseOptions {
  /**
   * Retrieval scores of the sources, 0 to 1, in their order. Values outside this range are clamped;
   * a source without a score has no relevance.
   */
  readonly scores?: readonly (number | undefined)[] | undefined;
  /** Where the sources are, in their order. */
  readonly places?: readonly (SourcePlace | undefined)[] | undefined;
  /** Further fields of `metadata`, beside `navigator`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Puts a navigator response, already validated, into a response of the mesh. The whole navigator
 * response is in `metadata.navigator`.
 *
 * @returns An answer with its sources; without sources or out of domain `NOT_FOUND` with reason
 *   `no-information` or `out-of-domain`, and the navigator's answer as its message.
 */
export function toResponse(
  navigator: NavigatorResponse,
  { scores = [], places = [], metadata }: ToResponseOptions = {},
): Response {
  const kept = { metadata: { ...metadata, navigator } };
  if (navigator.outOfDomain || navigator.sources.length === 0) {
    const reason = navigator.outOfDomain ? "out-of-domain" : "no-information";
    return {
      error: { code: "NOT_FOUND", message: navigator.answer, details: { reason } },
      ...kept,
    };
  }
  const sources = navigator.sources.map(({ file, section }, index): Source => {
    const { url, lines } = places[index] ?? {};
    const whole = section === "" ? file : `${file}#${section}`;
    const relevance = toShare(scores[index]);
    return {
      name: lines === undefined ? whole : `${whole} (lines ${lines})`,
      ...(url !== undefined && { url }),
      type: "document",
      ...(relevance !== undefined && { relevance }),
    };
  });
  const confidence = confidenceNumbers[navigator.confidence];
  const partial = navigator.confidence === "low" && { partial: true };
  const { answer } = navigator;
  return { answer, headline: toHeadline(answer), sources, confidence, ...partial, ...kept };
}

function toShare(score: number | undefined): number | undefined {
  return score === undefined || Number.isNaN(score) ? undefined : Math.min(1, Math.max(0, score));
}
