import { type Context, MeshError } from "@constellation/core";
import { sourceName } from "../advisory/citation.js";
import type { Retrieved } from "../advisory/retrieved.js";
import { placeOf } from "../advisory/summary.js";
import type { WrittenAdvisory } from "../advisory/write-advisory.js";
import type { RAGResponse } from "../contract/rag-response.js";
import { parseRAGResponse } from "../contract/validate-rag-response.js";
import { inUnit } from "../country/area.js";
import type { CountryConventions } from "../country/conventions.js";
import type { Question } from "../question/question.js";
import { checkDraft, withDraft } from "./check-draft.js";
import { type AdvisoryDraft, advisoryDraftSchema } from "./draft.js";
import { promptOf, repairTurns, system } from "./prompt.js";

/** Least time that is worth a call, in milliseconds. */
const leastMs = 250;
/** Kept for what comes after the calls: a tenth of what remains, at most this, in milliseconds. */
const reserveMs = 500;

/** What {@link askModel} needs to know. */
export interface ModelQuestion {
  readonly question: Question;
  readonly retrieved: Retrieved;
  /** The advisory without a model, which it words. */
  readonly written: WrittenAdvisory;
  readonly conventions: CountryConventions;
}

/** What came of asking the model; stands in the evidence. */
export interface ModelReport {
  /** `used`: its draft stands. `repaired`: its second one. `not-used`: neither. */
  readonly outcome: "used" | "repaired" | "not-used";
  /** Why it was not used: a code of `errorCodes`, `no-time`, `no-passages` or `violations`. */
  readonly reason?: string;
  /** What was wrong with the last draft that was refused. */
  readonly violations?: readonly string[];
}

/**
 * Has the model of a context word an advisory, checks the draft against what the model was given, and
 * has it repaired once.
 *
 * @throws MeshError `TIMEOUT` when the caller no longer waits. Any other failure of the model is told
 *   in the report.
 */
export async function askModel(
  { question, retrieved, written, conventions }: ModelQuestion,
  context: Context,
): Promise<{ readonly report: ModelReport; readonly advisory?: RAGResponse }> {
  const { ai, signal } = context;
  if (ai === undefined) return { report: { outcome: "not-used", reason: "no-model" } };
  if (retrieved.passages.length === 0 && written.comparables === undefined)
    return refused("no-passages", []);
  const base = written.advisory;
  const prompt = promptOf(question.query, retrieved, base);
  const facts = {
    given: givenTo(question, retrieved, base, conventions),
    names: [
      ...new Set([
        ...[...retrieved.passages, ...retrieved.surroundings].map(({ chunk }) => sourceName(chunk)),
        ...base.sources.map(({ name }) => name),
      ]),
    ],
  };
  let draft: AdvisoryDraft | undefined;
  let problems: readonly string[] = [];
  for (const outcome of ["used", "repaired"] as const) {
    const timeoutMs = timeFor(context, outcome);
    if (timeoutMs !== undefined && timeoutMs < leastMs) return refused("no-time", problems);
    try {
      const reply = await ai.analyze({
        system,
        prompt: draft === undefined ? prompt : repairTurns(prompt, draft, problems),
        schema: advisoryDraftSchema,
        name: "advisory_draft",
        maxTokens: 3_000,
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(signal !== undefined && { signal }),
      });
      draft = reply.value;
      problems = checkDraft(draft, facts);
      if (problems.length > 0) continue;
      const advisory = parseRAGResponse(
        withDraft(base, draft, reply.model, written.comparables !== undefined),
      );
      return { report: { outcome }, advisory };
    } catch (thrown) {
      signal?.throwIfAborted();
      return refused(thrown instanceof MeshError ? thrown.code : "AI_UNAVAILABLE", problems);
    }
  }
  return refused("violations", problems);
}

/**
 * What a draft's figures may come from: passages, computed figures, and the price, area and bedrooms
 * that were asked about. Whatever else a question says of a market is no source.
 */
function givenTo(
  question: Question,
  retrieved: Retrieved,
  base: RAGResponse,
  conventions: CountryConventions,
): string {
  const { budget, area, bedrooms } = question;
  return [
    promptOf("", retrieved, base).replaceAll(/^=+/gm, ""),
    base.summary,
    ...base.risk_signals.map(({ description }) => description),
    placeOf(question, conventions),
    ...[budget?.low, budget?.high, bedrooms].map((number) => number ?? ""),
    ...(area === undefined ? [] : [inUnit(area, "sqft"), inUnit(area, "sqm")].map(Math.round)),
  ].join("\n");
}

function refused(reason: string, problems: readonly string[]): { readonly report: ModelReport } {
  return {
    report: {
      outcome: "not-used",
      reason,
      ...(problems.length > 0 && { violations: problems.slice(0, 10) }),
    },
  };
}

/** The first call may take two thirds of what remains; the second the rest, less a reserve. */
function timeFor(
  { remainingMs, deadline }: Context,
  call: "used" | "repaired",
): number | undefined {
  const remains =
    remainingMs?.() ?? (deadline === undefined ? Number.POSITIVE_INFINITY : deadline - Date.now());
  if (remains === Number.POSITIVE_INFINITY) return undefined;
  const usable = remains - Math.min(reserveMs, remains / 10);
  return Math.floor(call === "used" ? (usable * 2) / 3 : usable);
}
