import type { PatternKind } from "./patterns/pattern.js";

/** What the validator checks, each with what it means. */
export const navigatorRules = {
  schema: "The response has the six fields of the format, each of its type.",
  limits: "The response is small enough to be checked whole.",
  containment: "A cited file is a path inside the root of the knowledge base.",
  "source-existence": "A cited file is in the knowledge base.",
  "section-existence": "A cited section is in its file.",
  "inline-citation": "The answer names a cited file.",
  "confidence-justification": "The reason for the confidence says something.",
  "unexplained-empty-sources": "An answer without sources says that nothing was found.",
  "out-of-domain-logic": "An answer out of domain has no sources.",
  "source-answer-alignment": "The cited sections are about what the answer says.",
  hallucination: "Names, numbers and quotes of the answer are in the knowledge base.",
} as const satisfies Record<string, string>;

/** A row of {@link navigatorRules}. */
export type NavigatorRule = keyof typeof navigatorRules;

/** Something the validator found. */
export interface NavigatorFinding {
  readonly rule: NavigatorRule;
  /** An error: the response must not be forwarded as an answer. */
  readonly level: "error" | "warning";
  /** Where: `answer`, `sources[1].file`; empty for the response as a whole. */
  readonly field: string;
  /** What was found there, cut to 200 characters. */
  readonly value: string;
  /** For people, and for a model that is to repair its response. */
  readonly message: string;
  /** Kind of token, where the rule is `hallucination`. */
  readonly pattern?: PatternKind | undefined;
}

/** Most characters of `value`. */
const valueLength = 200;

/** Makes a finding, with its value cut. */
export function finding(
  level: NavigatorFinding["level"],
  rule: NavigatorRule,
  field: string,
  value: string,
  message: string,
  pattern?: PatternKind,
): NavigatorFinding {
  const cut = value.length > valueLength ? `${value.slice(0, valueLength - 1)}…` : value;
  return { rule, level, field, value: cut, message, ...(pattern !== undefined && { pattern }) };
}
