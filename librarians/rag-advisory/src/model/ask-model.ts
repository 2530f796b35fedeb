import { type FitOptions, fitSections, generateChecked } from "@constellation/authoring";
import type { Context } from "@constellation/core";
import { sourceName } from "../advisory/citation.js";
import type { Retrieved } from "../advisory/retrieved.js";
import { describePlace } from "../advisory/summary.js";
import type { WrittenAdvisory } from "../advisory/write-advisory.js";
import type { RAGResponse } from "../contract/rag-response.js";
import { parseRAGResponse } from "../contract/validate-rag-response.js";
import { type CountryConventions, sqftPerSqm } from "../country/countries.js";
import type { Question } from "../question/question.js";
import { checkDraft, withDraft } from "./check-draft.js";
import { type AdvisoryDraft, advisoryDraftSchema } from "./draft.js";
import { createCorrection, createPrompt, listFigures, passageText, system } from "./prompt.js";

/** What {@link askModel} needs to know. */
export interface ModelQuestion {
  readonly question: Question;
  readonly retrieved: Retrieved;
  /** The advisory without a model, which it words. */
  readonly written: WrittenAdvisory;
  readonly conventions: CountryConventions;
}

/** The outcome of asking the model, as it is recorded in the evidence. */
export interface ModelReport {
  /** `used`: its first draft. `repaired`: its second one. `not-used`: neither. */
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
 * @throws MeshError `TIMEOUT` when the caller no longer waits. Any other failure of the model is in the
 *   report.
 */
export async function askModel(
  { question, retrieved: found, written, conventions }: ModelQuestion,
  context: Context,
  signal: AbortSignal,
): Promise<{ readonly report: ModelReport; readonly advisory?: RAGResponse }> {
  const { ai } = context;
  if (ai === undefined) return notUsed("no-model", []);
  if (found.passages.length === 0 && written.comparables === undefined)
    return notUsed("no-passages", []);
  const base = written.advisory;
  const request = {
    system,
    schema: advisoryDraftSchema,
    name: "advisory_draft",
    promptId: "advisory.draft",
    signal,
  };
  const retrieved = fitting(found, {
    ai,
    request,
    besides: [question.query, listFigures(base)],
  });
  const facts = {
    given: givenTo(question, retrieved, base, conventions),
    names: [
      ...new Set([
        ...[...retrieved.passages, ...retrieved.surroundings].map(({ chunk }) => sourceName(chunk)),
        ...base.sources.map(({ name }) => name),
      ]),
    ],
  };
  const generated = await generateChecked<AdvisoryDraft, AdvisoryDraft>(
    ai,
    {
      ...request,
      prompt: createPrompt(question.query, retrieved, base),
    },
    {
      context,
      check(draft) {
        const problems = checkDraft(draft, facts);
        return problems.length > 0 ? { problems } : { value: draft };
      },
      correction: createCorrection,
    },
  );
  if (generated.outcome === "failed") {
    const { reason, problems } = generated;
    return notUsed(reason === "invalid-reply" ? "violations" : reason, problems);
  }
  const { value, attempts, completion } = generated;
  const model = completion?.model ?? "unknown";
  const advisory = parseRAGResponse(
    withDraft(base, value, model, written.comparables !== undefined, written.notices),
  );
  return { report: { outcome: attempts === 1 ? "used" : "repaired" }, advisory };
}

/** What the prompt has room for: passages first, in their order. */
function fitting(found: Retrieved, fit: FitOptions): Retrieved {
  const fits = new Set(fitSections([...found.passages, ...found.surroundings], passageText, fit));
  return {
    ...found,
    passages: found.passages.filter((passage) => fits.has(passage)),
    surroundings: found.surroundings.filter((passage) => fits.has(passage)),
  };
}

/**
 * What a draft's figures may come from: passages, computed figures, and the price, area and bedrooms
 * of the question. Whatever else a question says of a market is not a source.
 */
function givenTo(
  question: Question,
  retrieved: Retrieved,
  base: RAGResponse,
  conventions: CountryConventions,
): string {
  const { budget, area, bedrooms } = question;
  return [
    createPrompt("", retrieved, base).replaceAll(/^=+/gm, ""),
    base.summary,
    ...base.risk_signals.map(({ description }) => description),
    describePlace(question, conventions),
    ...[budget?.low, budget?.high, bedrooms].map((number) => number ?? ""),
    ...(area === undefined ? [] : [area, area / sqftPerSqm].map(Math.round)),
  ].join("\n");
}

function notUsed(reason: string, problems: readonly string[]): { readonly report: ModelReport } {
  return {
    report: {
      outcome: "not-used",
      reason,
      ...(problems.length > 0 && { violations: problems.slice(0, 10) }),
    },
  };
}
