import type { RAGResponse } from "../contract/rag-response.js";
import { otherLanguage } from "../question/language.js";
import { isJudgedForbidden } from "./judge-sentence.js";
import {
  type ActRule,
  type ContentAct,
  type ContentRule,
  compilePatterns,
  findPattern,
  patternTable,
} from "./pattern.js";
import { type TokenSentence, tokenSentences } from "./tokens.js";

export type { ContentAct, ContentRule } from "./pattern.js";

/** A piece of text that breaks a content rule. */
export interface ContentSpan {
  readonly rule: ContentRule;
  /** What the piece does. */
  readonly act: ContentAct;
  /** The piece as it was written. */
  readonly text: string;
  /** Its place in the text: the first character, and the one after the last. */
  readonly start: number;
  readonly end: number;
}

/** A content violation of an advisory. */
export interface ContentViolation extends ContentSpan {
  /** Field it is in: `summary`, `risk_signals.0.description`. */
  readonly path: string;
}

interface CompiledRule {
  readonly act: ContentAct;
  readonly rule: ContentRule;
  readonly patterns: RegExp;
  readonly unless: RegExp | undefined;
}

let compiled: readonly CompiledRule[] | undefined;

/**
 * Finds what a text does that no advisory may do: it directs the reader to act, decides for the reader,
 * draws a legal conclusion, guarantees, predicts, urges, advises a person, addresses an assistant, or
 * praises. Each act is a grammar over the words of a sentence.
 *
 * @returns One piece for each sentence and act, in the order they stand; none for text that keeps the
 *   rules. In time proportional to the text.
 */
export function findForbidden(written: string): readonly ContentSpan[] {
  compiled ??= patternTable.acts.map(compileRule);
  const rules = compiled;
  return tokenSentences(written)
    .flatMap((tokens) => actsIn(tokens, rules, written))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Finds what of a source's or a model's text is left out: what {@link findForbidden} finds, and each sentence that the
 * fitted classifier counts among such sentences, as `unsupported`. What it leaves alone may still be an opinion; what our
 * own code writes is not judged by it.
 */
export function findDropped(written: string): readonly ContentSpan[] {
  const found = findForbidden(written);
  const all = tokenSentences(written).flatMap((sentence) => {
    const start = sentence[0]?.start ?? 0;
    const end = sentence.at(-1)?.end ?? start;
    const text = written.slice(start, end);
    const isForeign = otherLanguage(text) !== undefined;
    // The patterns read English; an order to a model stands in any language.
    const spans = found.filter(
      (span) => span.start < end && span.end > start && (!isForeign || span.act === "assistant"),
    );
    if (spans.length > 0) return spans;
    // A name or a label claims nothing.
    const isLabel =
      !/:|[.!?।]$/.test(text) && sentence.filter(({ isWord }) => isWord).length < minWords;
    if (isLabel || !isJudgedForbidden(text)) return [];
    return [{ rule: "unfactual", act: "unsupported", text, start, end } as const];
  });
  return [...new Set(all)].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Words from which a text without an end mark is judged. */
const minWords = 3;

/** What a sentence does by some rules, one piece for each act. */
function actsIn(
  sentence: TokenSentence,
  rules: readonly CompiledRule[],
  written: string,
): readonly ContentSpan[] {
  const spans: ContentSpan[] = [];
  for (const { act, rule, patterns, unless } of rules) {
    if (spans.some((span) => span.act === act && span.rule === rule)) continue;
    const found = findPattern(sentence, patterns);
    if (found === undefined || (unless && findPattern(sentence, unless) !== undefined)) continue;
    const { start, end } = found;
    if ((act === "praise" || act === "decision") && isName(sentence, start, end)) continue;
    spans.push({ rule, act, text: written.slice(start, end), start, end });
  }
  return spans;
}

/** Whether words are a part of a name: with a capital letter each, and beside another such word: "Bargain House". */
function isName(sentence: TokenSentence, start: number, end: number): boolean {
  const from = sentence.findIndex((token) => token.start === start);
  const to = sentence.findLastIndex((token) => token.end === end);
  const [before, behind] = [sentence[from - 1], sentence[to + 1]];
  const isBeside = (before?.isCapital && !before.isClauseStart) || behind?.isCapital;
  return isBeside === true && sentence.slice(from, to + 1).every(({ isCapital }) => isCapital);
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

function compileRule({ act, rule, patterns, unless }: ActRule): CompiledRule {
  return {
    act,
    rule,
    patterns: compilePatterns(patterns),
    unless: unless && compilePatterns(unless),
  };
}
