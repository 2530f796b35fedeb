import type { Response, Source } from "@constellation/core";
import { shownText, withoutPersonalData } from "./advisory/plain-text.js";
import { ADVISORY_NOTE, confidenceBand, flagForReview } from "./contract/confidence-bands.js";
import type { RAGResponse } from "./contract/rag-response.js";

/** Below it a response is partial. */
const partialBelow = 0.6;
/** Most characters of one text in the answer, and of all. */
const maxTextLength = 700;
const maxAnswerLength = 3_900;
const maxSources = 10;

/** Said below 0.5 instead of the advisory. */
export const withheldAnswer =
  "An advisory was made and is withheld: its evidence is too thin to be used. It is kept for review.";

/**
 * Puts an advisory into a response: the whole of it in `metadata.ragAdvisory`; in the answer as much
 * as its confidence allows.
 */
export function toResponse(advisory: RAGResponse): Response {
  const { confidence, sources } = advisory;
  return {
    answer: writeAnswer(advisory),
    headline: writeHeadline(advisory),
    sources: distinct(
      sources.map(({ name, url }) => ({
        name: shownName(name),
        ...(url !== undefined && { url }),
      })),
    ),
    confidence,
    ...(confidence < partialBelow && { partial: true }),
    metadata: toMetadata(advisory),
  };
}

/** The response about one of several places. */
export interface PlaceResponse {
  readonly place: string;
  readonly response: Response;
}

/** Puts the responses about several places one after the other; that one has none is said, and makes it partial. */
export function joinResponses(parts: readonly PlaceResponse[]): Response {
  const [first] = parts;
  if (first === undefined) throw new RangeError("parts: expected at least one");
  const answered = parts.flatMap(({ response }) =>
    response.answer === undefined ? [] : [response],
  );
  if (parts.length === 1) return first.response;
  const { error } = first.response;
  if (answered.length === 0 && error !== undefined) {
    const message = distinctTexts(parts.map(({ response }) => response.error?.message ?? ""));
    return { ...first.response, error: { ...error, message } };
  }
  const advisories = parts.flatMap(({ response }) => response.metadata?.ragAdvisory ?? []);
  const told = (text: (response: Response) => string | undefined) =>
    parts.map(({ place, response }) => ({
      place,
      text: text(response) ?? response.error?.message ?? "",
    }));
  return {
    answer: told(({ answer }) => answer)
      .map(({ place, text }) => `**${shownText(place)}**\n\n${text}`)
      .join("\n\n"),
    headline: longText(
      told(({ headline }) => headline)
        .map(({ text }) => text)
        .join(" "),
      300,
    ),
    sources: distinct(answered.flatMap(({ sources = [] }) => sources)),
    confidence: Math.min(...answered.map(({ confidence = 0 }) => confidence)),
    ...((answered.length < parts.length || answered.some(({ partial }) => partial === true)) && {
      partial: true,
    }),
    metadata: {
      ...answered[0]?.metadata,
      ragAdvisories: advisories,
      flagForReview: answered.some(({ metadata }) => metadata?.flagForReview === true),
    },
  };
}

function distinctTexts(texts: readonly string[]): string {
  return [...new Set(texts)].join(" ");
}

/** The whole advisory, and whether a person must review it. */
export function toMetadata(advisory: RAGResponse): NonNullable<Response["metadata"]> {
  return { ragAdvisory: advisory, flagForReview: flagForReview(advisory) };
}

function writeHeadline({ confidence, summary }: RAGResponse): string {
  const text = confidenceBand(confidence) === "very-low" ? withheldAnswer : summary;
  return longText(text.replaceAll(/\s+/g, " "), 300);
}

function writeAnswer(advisory: RAGResponse): string {
  const band = confidenceBand(advisory.confidence);
  if (band === "very-low") return withheldAnswer;
  const {
    summary,
    market_context: market,
    risk_signals: risks,
    valuation_hint: hint,
    sources,
  } = advisory;
  const optional: readonly (string | undefined)[] = [
    hint.estimated_range &&
      `**Valuation hint:** ${short(hint.estimated_range)}. ${short(hint.methodology)}`,
    market.comparable_properties && isNew(market.comparable_properties, summary)
      ? `**Comparable properties:** ${short(market.comparable_properties)}`
      : undefined,
    market.price_trends && isNew(market.price_trends, summary)
      ? `**Price trends:** ${short(market.price_trends)}`
      : undefined,
    market.market_conditions && `**Market conditions:** ${short(market.market_conditions)}`,
    market.location_insights && `**Location:** ${short(market.location_insights)}`,
    risks.length === 0
      ? undefined
      : [
          "**Risk signals:**",
          ...risks
            .slice(0, 6)
            .map(
              (risk) =>
                `- ${risk.type}, ${risk.severity}: ${short(risk.description)} (${short(risk.source)})`,
            ),
        ].join("\n"),
  ];
  const ending = [
    sources.length === 0
      ? undefined
      : [
          "**Sources:**",
          ...sources
            .slice(0, maxSources)
            .map(({ name, date }) => `- ${longText(shownName(name), 120)}, ${date}`),
        ].join("\n"),
    describeCaution(band),
  ].filter((part) => part !== undefined && part !== "");
  const head = longText(summary, 1_500);
  let room = maxAnswerLength - [head, ...ending].join("\n\n").length;
  const kept = optional.filter((part): part is string => {
    if (part === undefined || part === "" || part.length + 2 > room) return false;
    room -= part.length + 2;
    return true;
  });
  return [head, ...kept, ...ending].join("\n\n");
}

function describeCaution(band: "high" | "medium" | "low"): string | undefined {
  if (band === "high") return undefined;
  if (band === "medium") return "Use with caution, and verify with the sources.";
  return `Advisory only, verification required. ${ADVISORY_NOTE}`;
}

/** A text that the summary has already, word for word, is not said twice. */
function isNew(text: string, summary: string): boolean {
  return !summary.includes(text);
}

function short(text: string): string {
  return longText(text, maxTextLength);
}

/** At most so many characters, without links, HTML, e-mail addresses and telephone numbers. */
function longText(text: string, maxLength: number): string {
  const plain = shownText(withoutPersonalData(text)).replaceAll("<", "\\<");
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).trimEnd()}…`;
}

function shownName(name: string): string {
  return shownText(name).replaceAll("\n", " ").trim() || "unnamed source";
}

function distinct(sources: readonly Source[]): readonly Source[] {
  return [
    ...new Map(
      sources.map((source) => [JSON.stringify([source.name, source.url]), source]),
    ).values(),
  ];
}
