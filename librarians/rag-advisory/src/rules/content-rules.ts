import type { RAGResponse } from "../contract/rag-response.js";
import { type ContentRule, forbiddenPatterns } from "./forbidden-language.js";
import { readableText } from "./readable-text.js";

/** A piece of text that breaks a content rule. */
export interface ContentSpan {
  readonly rule: ContentRule;
  /** The piece as it was written. */
  readonly text: string;
  /** Its place in the text: the first character, and the one after the last. */
  readonly start: number;
  readonly end: number;
}

/** A content violation of an advisory. */
export interface ContentViolation extends ContentSpan {
  /** Field it stands in: `summary`, `risk_signals.0.description`. */
  readonly path: string;
}

/**
 * Finds decision language ("You should buy this"), action language ("Contact this agent") and what is
 * not factual ("This is a great deal").
 *
 * @returns The pieces in the order they stand; none for text that keeps the rules.
 */
export function findForbidden(written: string): readonly ContentSpan[] {
  const { text, places } = readableText(written);
  const spans = forbiddenPatterns.flatMap(({ rule, pattern }) =>
    [...text.matchAll(pattern)].map(({ index, 0: match }) => {
      const lead = /^[\s.!?;:,"'(•-]*/.exec(match)?.[0].length ?? 0;
      const start = places[index + lead] ?? 0;
      const end = (places[index + match.length - 1] ?? written.length - 1) + 1;
      return { rule, text: written.slice(start, end), start, end };
    }),
  );
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The texts of an advisory that were generated, by path: not the names of sources and models. */
export function generatedTexts(advisory: RAGResponse): readonly (readonly [string, string])[] {
  const { summary, market_context: market, risk_signals: risks, valuation_hint: hint } = advisory;
  return [
    ["summary", summary],
    ["market_context.location_insights", market.location_insights],
    ["market_context.price_trends", market.price_trends],
    ["market_context.market_conditions", market.market_conditions],
    ["market_context.comparable_properties", market.comparable_properties ?? ""],
    ...risks.map(({ description }, at) => [`risk_signals.${at}.description`, description] as const),
    ["valuation_hint.estimated_range", hint.estimated_range ?? ""],
    ...hint.factors.map((factor, at) => [`valuation_hint.factors.${at}`, factor] as const),
    ["valuation_hint.methodology", hint.methodology],
  ];
}

/** Everything in an advisory that breaks a content rule, field by field. */
export function contentViolations(advisory: RAGResponse): readonly ContentViolation[] {
  return generatedTexts(advisory).flatMap(([path, text]) =>
    findForbidden(text).map((span) => ({ path, ...span })),
  );
}
