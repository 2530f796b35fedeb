import { alignSentence, type Misalignment, readPassages } from "@constellation/nlu";
import { z } from "zod";
import { hasPersonalData } from "../advisory/plain-text.js";
import type {
  RAGMarketContext,
  RAGResponse,
  RAGRiskSignal,
  RAGValuationHint,
} from "../contract/rag-response.js";
import { findDropped } from "../rules/content-rules.js";
import { splitSentences } from "../rules/tokens.js";
import { figuresIn } from "./figures-in.js";

/** The part of an advisory that a model may write. Country, times, confidence and dates are ours. */
export interface AdvisoryDraft
  extends Pick<RAGResponse, "summary" | "market_context" | "risk_signals"> {
  readonly valuation_hint: Omit<RAGValuationHint, "confidence">;
  /** Names of the sources it rests on. */
  readonly sources: readonly string[];
}

const text = (what: string) => z.string().max(2_000).describe(what);
const name = (what: string) => z.string().max(300).describe(what);

/**
 * Checks the form of a draft: field by field that of the locked schema, with an upper limit for each
 * text and list, because a small model can repeat itself until its tokens are spent.
 */
export const advisoryDraftSchema: z.ZodType<AdvisoryDraft> = z.strictObject({
  summary: text("2 or 3 sentences"),
  market_context: z.strictObject({
    location_insights: text("City or region specific insights"),
    price_trends: text("Historical and current trends"),
    market_conditions: text("Supply, demand and inventory"),
    comparable_properties: text("Similar properties").optional(),
  }) satisfies z.ZodType<RAGMarketContext>,
  risk_signals: z
    .array(
      z.strictObject({
        type: z.enum(["PRICE", "LOCATION", "LEGAL", "MARKET", "REGULATORY"]),
        severity: z.enum(["LOW", "MEDIUM", "HIGH"]),
        description: text("Factual description"),
        source: name("Where this came from"),
      }) satisfies z.ZodType<RAGRiskSignal>,
    )
    .max(16),
  valuation_hint: z.strictObject({
    estimated_range: name("Only where a source states it").optional(),
    factors: z.array(name("Factor considered")).max(16),
    methodology: text("How the valuation was derived"),
  }),
  sources: z
    .array(name("Name of a source"))
    .max(32)
    .describe("Names of the sources used, exactly as given"),
});

/** What a draft is checked against. */
export interface DraftFacts {
  /** Everything the model was given: question, passages, figures. */
  readonly given: string;
  /** Names of the sources it was given. */
  readonly names: readonly string[];
}

/** What a sentence says against the sources; words and figures of its own are checked besides. */
const contradictions: ReadonlySet<Misalignment> = new Set<Misalignment>([
  "language",
  "code",
  "name",
  "time",
  "denial",
  "direction",
  "comparison",
  "subject",
  "total",
]);

const maxTextLength = 2_000;
const maxItems = 12;

/**
 * Finds what is wrong with a draft: numbers, sources and links that were not given, language that the
 * content rules forbid, HTML, a summary that is not 2 or 3 sentences.
 *
 * @returns One sentence for each thing, for the model to repair; none where the draft can stand.
 */
export function checkDraft(draft: AdvisoryDraft, { given, names }: DraftFacts): readonly string[] {
  const known = new Set(figuresIn(given).map(({ key }) => key));
  const passages = readPassages([{ id: "given", text: given }]);
  const problems = listTexts(draft).flatMap(([path, text]) => [
    ...(text.length > maxTextLength
      ? [`${path}: has ${text.length} characters, at most ${maxTextLength} are allowed.`]
      : []),
    ...findDropped(text).map(
      (span) => `${path}: ${span.rule} language: ${JSON.stringify(span.text)}. State facts only.`,
    ),
    ...splitSentences(text).flatMap((sentence) => {
      const why = alignSentence(sentence, passages).filter((one) => contradictions.has(one));
      return why.length === 0
        ? []
        : [`${path}: no source says this (${why.join(", ")}): ${JSON.stringify(sentence)}.`];
    }),
    ...figuresIn(text)
      .filter(({ key }) => !known.has(key))
      .map((figure) => `${path}: no source has the number ${JSON.stringify(figure.text.trim())}.`),
    ...linksIn(text)
      .filter((link) => !given.includes(link))
      .map((link) => `${path}: no source has the link ${JSON.stringify(link.slice(0, 100))}.`),
    ...(/<[a-z!/?]/i.test(text) ? [`${path}: has HTML. Write plain text.`] : []),
    ...(hasPersonalData(text) ? [`${path}: has an e-mail address or a telephone number.`] : []),
  ]);
  const sentences = splitSentences(draft.summary).length;
  if (sentences < 2 || sentences > 3)
    problems.push(`summary: has ${sentences} sentences, expected 2 or 3.`);
  if (draft.sources.length === 0) problems.push("sources: name the sources the advisory rests on.");
  if (draft.risk_signals.length > maxItems || draft.valuation_hint.factors.length > maxItems) {
    problems.push(`risk_signals, factors: at most ${maxItems} each.`);
  }
  for (const name of [...draft.sources, ...draft.risk_signals.map(({ source }) => source)]) {
    if (!names.includes(name))
      problems.push(`sources: ${JSON.stringify(name.slice(0, 100))} was not given.`);
  }
  return problems;
}

function listTexts({
  summary,
  market_context: market,
  risk_signals: risks,
  valuation_hint: hint,
}: AdvisoryDraft): readonly (readonly [string, string])[] {
  return [
    ["summary", summary],
    ...Object.entries(market).map(([key, text]) => [`market_context.${key}`, text ?? ""] as const),
    ...risks.map(({ description }, at) => [`risk_signals.${at}.description`, description] as const),
    ["valuation_hint.estimated_range", hint.estimated_range ?? ""],
    ["valuation_hint.methodology", hint.methodology],
    ...hint.factors.map((factor, at) => [`valuation_hint.factors.${at}`, factor] as const),
  ];
}

function linksIn(text: string): readonly string[] {
  const links =
    text.match(
      /(?:https?:\/\/|www\.)[^\s)\]}"'<>]+|(?<![a-z0-9-])[a-z0-9-]+\.(?:com|net|org|io|info|biz|co\.uk|in|example)\b/gi,
    ) ?? [];
  return links.map((link) => link.replace(/^-+/, ""));
}

/**
 * An advisory with a draft's words: what was computed from data rows stays as it was computed, and the
 * notices are before the trends.
 */
export function withDraft(
  base: RAGResponse,
  draft: AdvisoryDraft,
  model: string,
  isComputed: boolean,
  notices: readonly string[] = [],
): RAGResponse {
  const { estimated_range: range, ...hint } = draft.valuation_hint;
  const comparable =
    base.market_context.comparable_properties ?? draft.market_context.comparable_properties;
  const { comparable_properties: _said, ...market } = draft.market_context;
  const isUsed = (name: string) =>
    draft.sources.includes(name) || draft.risk_signals.some(({ source }) => source === name);
  return {
    ...base,
    summary: draft.summary,
    model_version: model,
    market_context: {
      ...market,
      price_trends: [
        ...notices.filter((notice) => !draft.summary.includes(notice)),
        market.price_trends,
      ].join(" "),
      ...(comparable !== undefined && { comparable_properties: comparable }),
    },
    risk_signals: draft.risk_signals,
    valuation_hint: isComputed
      ? base.valuation_hint
      : {
          ...hint,
          ...(range !== undefined && { estimated_range: range }),
          confidence: base.confidence / 2,
        },
    sources: isComputed ? base.sources : base.sources.filter(({ name }) => isUsed(name)),
  };
}
