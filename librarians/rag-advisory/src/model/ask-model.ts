import {
  type FitOptions,
  fitSections,
  generateChecked,
  promptFence,
  promptFenceNotice,
  wholeLines,
} from "@constellation/authoring";
import type { Context } from "@constellation/core";
import { sourceName } from "../advisory/citation.js";
import { toPlainText } from "../advisory/plain-text.js";
import type { Retrieved } from "../advisory/retrieve.js";
import { describePlace } from "../advisory/summary.js";
import type { WrittenAdvisory } from "../advisory/write-advisory.js";
import type { RAGResponse } from "../contract/rag-response.js";
import { parseRAGResponse } from "../contract/validate-rag-response.js";
import { type CountryConventions, sqftPerSqm } from "../country/countries.js";
import type { Question } from "../question/question.js";
import { type AdvisoryDraft, advisoryDraftSchema, checkDraft, withDraft } from "./check-draft.js";

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

/** Maximum characters of a passage that a model is given. */
const maxPassageLength = 6_000;

/** The instructions of every prompt. */
export const system = `You write advisories on property markets. An advisory informs and never decides.

Rules:
- Use only the passages and figures you are given. Every number must be in them, exactly as it is there.
- Name a source exactly as it is given. Put the name in brackets after each figure.
- State facts. Never say what anyone should do, never recommend, never ask anyone to act, never praise.
- summary: 2 or 3 sentences. risk_signals: only risks that a passage states, each with the name of its source.
- Where the passages say nothing, say that the sources say nothing.

${promptFenceNotice}`;

/** The question, what was computed and what was found, fenced as data. */
export function createPrompt(query: string, retrieved: Retrieved, base: RAGResponse): string {
  return promptFence([
    { name: "question", text: query },
    { name: "figures", text: listFigures(base) },
    ...[...retrieved.passages, ...retrieved.surroundings].map((passage) => {
      const { chunk } = passage;
      const { date, city } = chunk.metadata;
      const name = `passage ${JSON.stringify({ source: sourceName(chunk), date, city })}`;
      return { name, text: passageText(passage) };
    }),
  ]);
}

/** The text of a passage, as a prompt has it. */
export function passageText({ chunk }: Retrieved["passages"][number]): string {
  return toPlainText(wholeLines(chunk.text, maxPassageLength));
}

/** What was computed from data rows, in sentences. */
export function listFigures({
  market_context: market,
  valuation_hint: hint,
  sources,
}: RAGResponse): string {
  return [
    market.comparable_properties,
    market.price_trends,
    market.market_conditions,
    hint.estimated_range,
    ...hint.factors,
    `Sources, ${sources.length}: ${sources.map(({ name, date }) => `${name}, ${date}`).join("; ")}`,
  ]
    .filter((line) => line !== undefined && line !== "")
    .join("\n");
}

/** The turn that asks a model to repair its draft. */
export function createCorrection(problems: readonly string[]): string {
  const named = problems.slice(0, 20).map((problem) => `- ${problem}`);
  return `This draft breaks the rules:\n${named.join("\n")}\nWrite it again without that, from the same passages.`;
}
