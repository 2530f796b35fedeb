import { parseOptions } from "@constellation/authoring";
import { z } from "zod";
import { measureAlignment, minSentenceShare, minShare } from "./alignment.js";
import { type CitedSections, readCitedSections } from "./cited-sections.js";
import { reasonProblem } from "./confidence-reason.js";
import { createEvidence } from "./evidence/evidence.js";
import { getKnowledgeIndex } from "./evidence/knowledge-index.js";
import { finding, type NavigatorFinding } from "./finding.js";
import type { KnowledgeBaseView } from "./knowledge-base-view.js";
import { checkTokens } from "./made-up-tokens.js";
import type { NavigatorResponse } from "./navigator-response.js";
import { navigatorResponseSchema } from "./navigator-response.schema.js";
import { findPlaceholders } from "./placeholders.js";
import { sizeProblem } from "./response-size.js";
import { statesLack } from "./stated-lack.js";

/** Options of {@link validateNavigatorResponse}. */
export interface NavigatorValidationOptions {
  /** The question. Names in it are not made up by the answer. Default: every name is looked up.
   *
   * @default ""
   */
  readonly query?: string | undefined;
  /** Maximum number of names and numbers of an answer that are looked up, an integer of at least 1. An answer with more is refused.
   *
   * @default 1_000
   */
  readonly maxTokens?: number | undefined;
}

/** Result of {@link validateNavigatorResponse}. */
export interface NavigatorValidation {
  /** True when there is no error. Warnings do not count. */
  readonly valid: boolean;
  /** The response with the six fields and no others; absent when the form is wrong. */
  readonly response?: NavigatorResponse | undefined;
  /** In the order of `navigatorRules`, then of the response. */
  readonly errors: readonly NavigatorFinding[];
  readonly warnings: readonly NavigatorFinding[];
}

/**
 * Checks a navigator response against its knowledge base, without a model:
 * its form, what it cites, and every path, URL, command, flag, key, name, number, version and quoted
 * message in it. Anything that cannot be looked up, such as the meaning of a sentence, stays
 * unchecked.
 *
 * @param value - A navigator response from any source. Read once.
 * @returns The result; does not throw for any `value`. The first call for a knowledge base may read
 *   all of it; exceptions of the view are rethrown.
 * @throws RangeError for `maxTokens` under 1, TypeError for an unknown option.
 *
 * @example
 * ```ts
 * const { valid, errors } = validateNavigatorResponse(reply, knowledgeBase, { query });
 * ```
 */
export function validateNavigatorResponse(
  value: unknown,
  knowledgeBase: KnowledgeBaseView,
  options: NavigatorValidationOptions = {},
): NavigatorValidation {
  const { query = "", maxTokens = 1_000 } = parseOptions(validationOptionsSchema, options);
  const { response, findings } = parse(value);
  if (response === undefined) return verdict(undefined, findings);
  const index = getKnowledgeIndex(knowledgeBase);
  const cited = readCitedSections(response.sources, index);
  const evidence = createEvidence(index, cited.sections, cited.files);
  return verdict(response, [
    ...cited.findings,
    ...checkForm(response, cited),
    ...findPlaceholders(response, cited),
    ...checkAlignment(response, cited),
    ...checkTokens(response, {
      evidence,
      query: query.slice(0, maxQueryLength),
      maxTokens,
    }),
  ]);
}

/** Checks {@link NavigatorValidationOptions}. */
const validationOptionsSchema: z.ZodType<NavigatorValidationOptions> = z.strictObject({
  query: z.string("expected text").optional(),
  maxTokens: z.int("expected an integer from 1").min(1, "expected an integer from 1").optional(),
});

/** Maximum number of characters of a query that are read. */
const maxQueryLength = 10_000;

function verdict(
  response: NavigatorResponse | undefined,
  findings: readonly NavigatorFinding[],
): NavigatorValidation {
  const errors = findings.filter(({ level }) => level === "error");
  const warnings = findings.filter(({ level }) => level === "warning");
  return {
    valid: errors.length === 0,
    ...(response !== undefined && { response }),
    errors,
    warnings,
  };
}

interface Parsed {
  readonly response?: NavigatorResponse;
  /** Why there is no response. */
  readonly findings: readonly NavigatorFinding[];
}

function parse(value: unknown): Parsed {
  try {
    const tooLarge = sizeProblem(value);
    if (tooLarge !== undefined) return { findings: [tooLarge] };
    const { success, data, error } = navigatorResponseSchema.safeParse(value);
    if (!success) return { findings: error.issues.slice(0, maxIssues).map(schemaFinding) };
    // Checked again, because an object may return something else when it is read a second time.
    const grown = sizeProblem(data);
    return grown === undefined ? { response: data, findings: [] } : { findings: [grown] };
  } catch {
    const message = "The response threw while it was being read.";
    return { findings: [finding("error", "schema", "", "", message)] };
  }
}

/** Maximum number of schema problems that are reported. */
const maxIssues = 20;

function schemaFinding({ path, message }: z.core.$ZodIssue): NavigatorFinding {
  const field = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return finding("error", "schema", field.join("").replace(/^\./, ""), "", `${message}.`);
}

/** Checks the rules that need only the response and its citations. */
function checkForm(
  { answer, sources, confidenceReason, outOfDomain }: NavigatorResponse,
  { files }: CitedSections,
): readonly NavigatorFinding[] {
  const findings: NavigatorFinding[] = [];
  if (files.size > 0 && !outOfDomain && !namesAny(files, answer)) {
    const message = "The answer does not name any cited file. Name the file in the text.";
    findings.push(finding("warning", "inline-citation", "answer", answer, message));
  }
  for (const [at, { relevance }] of sources.entries()) {
    // One word, such as "relevant", does not say why.
    if (/\p{L}[^\p{L}]+\p{L}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}]{2}/u.test(relevance)) continue;
    const message =
      "The source does not say why it supports the answer. Name what the section has.";
    findings.push(finding("error", "relevance", `sources[${at}].relevance`, relevance, message));
  }
  const problem = reasonProblem(confidenceReason);
  if (problem !== undefined) {
    const message = `The reason for the confidence ${problem}. Name the sources, their quality and what is missing.`;
    const rule = "confidence-justification";
    findings.push(finding("error", rule, "confidenceReason", confidenceReason, message));
  }
  if (sources.length === 0 && !outOfDomain && !statesLack(answer)) {
    const message = "The answer has no sources and does not state that nothing was found.";
    findings.push(finding("error", "unexplained-empty-sources", "sources", answer, message));
  }
  if (outOfDomain && sources.length > 0) {
    const message = "An answer that is out of domain usually has no sources.";
    const value = sources.map(({ file }) => file).join(", ");
    findings.push(finding("warning", "out-of-domain-logic", "sources", value, message));
  }
  return findings;
}

/** Whether an answer names a file: by its path, its name, or either without the extension. */
function namesAny(files: ReadonlySet<string>, answer: string): boolean {
  const text = answer.toLowerCase();
  return [...files].some((file) => {
    const path = file.toLowerCase();
    const name = path.slice(path.lastIndexOf("/") + 1);
    const stem = path.replace(/\.\w+$/, "");
    return text.includes(name) || (stem.includes("/") && text.includes(stem));
  });
}

/** Minimum number of content words of an answer that must share one with its sources. */
const minWords = 3;

function checkAlignment(
  { answer, sources, outOfDomain }: NavigatorResponse,
  { sections, files }: CitedSections,
): readonly NavigatorFinding[] {
  if (sections.length === 0 || outOfDomain) return [];
  const named = [...files, ...sources.map(({ section }) => section)];
  const { share, words, weakest } = measureAlignment(answer, sections, named);
  const rule = "source-answer-alignment";
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  if (share === 0 && words >= minWords && !statesLack(answer)) {
    const message = "The answer shares no word with the sections it cites. Cite what supports it.";
    return [finding("error", rule, "answer", answer, message)];
  }
  if (share < minShare) {
    const message = `The cited sections contain ${percent(share)} of the answer's words.`;
    return [finding("warning", rule, "answer", answer, message)];
  }
  if (weakest === undefined || weakest.share >= minSentenceShare) return [];
  if (statesLack(weakest.sentence)) return [];
  const message = `The cited sections contain ${percent(weakest.share)} of this sentence's words.`;
  return [finding("warning", rule, "answer", weakest.sentence, message)];
}
