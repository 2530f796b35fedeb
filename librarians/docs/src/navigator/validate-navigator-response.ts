import type { z } from "zod";
import { alignmentOf, leastSentenceShare, leastShare } from "./alignment.js";
import { type CitedSections, readCitedSections } from "./cited-sections.js";
import { reasonProblem } from "./confidence-reason.js";
import { createEvidence } from "./evidence/evidence.js";
import { indexOf } from "./evidence/knowledge-index.js";
import { finding, type NavigatorFinding } from "./finding.js";
import type { KnowledgeBaseView } from "./knowledge-base-view.js";
import { checkTokens } from "./made-up-tokens.js";
import type { NavigatorResponse } from "./navigator-response.js";
import { navigatorResponseSchema } from "./navigator-response.schema.js";
import { placeholdersIn } from "./placeholders.js";
import { sizeProblem } from "./response-size.js";
import { statesLack } from "./stated-lack.js";

/** What {@link validateNavigatorResponse} takes beside the response. */
export interface NavigatorValidationOptions {
  /**
   * The question. What it names is not made up by the answer. None: everything is looked up.
   *
   * @default ""
   */
  readonly query?: string | undefined;
  /**
   * Most names and numbers of an answer that are looked up; an answer with more is refused.
   * Integer, 1 or more.
   *
   * @default 1_000
   */
  readonly mostTokens?: number | undefined;
}

/** What {@link validateNavigatorResponse} found. */
export interface NavigatorValidation {
  /** True when there is no error. Warnings do not count. */
  readonly valid: boolean;
  /** The response with the six fields and no others; absent when it has not their form. */
  readonly response?: NavigatorResponse | undefined;
  /** In the order of `navigatorRules`, then of the response. */
  readonly errors: readonly NavigatorFinding[];
  readonly warnings: readonly NavigatorFinding[];
}

/**
 * Checks a navigator response against the knowledge base it claims to rest on, without a model:
 * its form, what it cites, and every path, URL, command, flag, key, name, number, version and quoted
 * message in it. What cannot be looked up, such as the sense of a sentence, stays unchecked.
 *
 * @param value - A navigator response, from whomever. Read once.
 * @returns Whatever `value` is, this does not throw. The first call for a knowledge base may read
 *   all of it; a view that throws does so through here.
 * @throws RangeError for `mostTokens` under 1.
 *
 * @example
 * ```ts
 * const { valid, errors } = validateNavigatorResponse(reply, knowledgeBase, { query });
 * ```
 */
export function validateNavigatorResponse(
  value: unknown,
  knowledgeBase: KnowledgeBaseView,
  { query = "", mostTokens = 1_000 }: NavigatorValidationOptions = {},
): NavigatorValidation {
  if (!Number.isInteger(mostTokens) || mostTokens < 1) {
    throw new RangeError(`mostTokens: expected an integer from 1, got ${mostTokens}.`);
  }
  const { response, findings } = parse(value);
  if (response === undefined) return verdict(undefined, findings);
  const index = indexOf(knowledgeBase);
  const cited = readCitedSections(response.sources, index);
  const evidence = createEvidence(index, cited.sections, cited.files);
  return verdict(response, [
    ...cited.findings,
    ...checkForm(response, cited),
    ...placeholdersIn(response.answer, cited),
    ...checkAlignment(response, cited),
    ...checkTokens(response, { evidence, query: query.slice(0, mostQuery), mostTokens }),
  ]);
}

/** Most characters of a query that are looked at. */
const mostQuery = 10_000;

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
    if (!success) return { findings: error.issues.slice(0, mostIssues).map(schemaFinding) };
    // Checked again, for an object may give something else when it is read a second time.
    const grown = sizeProblem(data);
    return grown === undefined ? { response: data, findings: [] } : { findings: [grown] };
  } catch {
    const message = "The response threw while it was being read.";
    return { findings: [finding("error", "schema", "", "", message)] };
  }
}

/** Maximum number of problems of form that are reported. */
const mostIssues = 20;

function schemaFinding({ path, message }: z.core.$ZodIssue): NavigatorFinding {
  const field = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return finding("error", "schema", field.join("").replace(/^\./, ""), "", `${message}.`);
}

/** The rules that need nothing but the response and what it cites. */
function checkForm(
  { answer, sources, confidenceReason, outOfDomain }: NavigatorResponse,
  { files }: CitedSections,
): readonly NavigatorFinding[] {
  const findings: NavigatorFinding[] = [];
  if (files.size > 0 && !outOfDomain && !namesOneOf(files, answer)) {
    const message = "The answer names none of the files it cites. Say where it is from.";
    findings.push(finding("warning", "inline-citation", "answer", answer, message));
  }
  const problem = reasonProblem(confidenceReason);
  if (problem !== undefined) {
    const message = `The reason for the confidence ${problem}. Name the sources, their quality and what is missing.`;
    const rule = "confidence-justification";
    findings.push(finding("error", rule, "confidenceReason", confidenceReason, message));
  }
  if (sources.length === 0 && !outOfDomain && !statesLack(answer)) {
    const message = "The answer cites nothing and does not say that nothing was found.";
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
function namesOneOf(files: ReadonlySet<string>, answer: string): boolean {
  const text = answer.toLowerCase();
  return [...files].some((file) => {
    const path = file.toLowerCase();
    const name = path.slice(path.lastIndexOf("/") + 1);
    const stem = path.replace(/\.\w+$/, "");
    return text.includes(name) || (stem.includes("/") && text.includes(stem));
  });
}

function checkAlignment(
  { answer, sources, outOfDomain }: NavigatorResponse,
  { sections, files }: CitedSections,
): readonly NavigatorFinding[] {
  if (sections.length === 0 || outOfDomain) return [];
  const named = [...files, ...sources.map(({ section }) => section)];
  const { share, weakest } = alignmentOf(answer, sections, named);
  const rule = "source-answer-alignment";
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  if (share < leastShare) {
    const message = `The cited sections have ${percent(share)} of the answer's words.`;
    return [finding("warning", rule, "answer", answer, message)];
  }
  if (weakest === undefined || weakest.share >= leastSentenceShare) return [];
  if (statesLack(weakest.sentence)) return [];
  const message = `The cited sections have ${percent(weakest.share)} of this sentence's words.`;
  return [finding("warning", rule, "answer", weakest.sentence, message)];
}
