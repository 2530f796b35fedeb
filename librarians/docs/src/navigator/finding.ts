import type { PatternKind } from "./patterns/pattern.js";

/** The rules of the validator, each with its meaning. */
export const navigatorRules = {
  schema: "The response has the six fields of the format, each of its type.",
  limits: "The response is small enough to be checked completely.",
  containment: "A cited file is a path inside the root of the knowledge base.",
  "source-existence": "A cited file is in the knowledge base.",
  "section-existence": "A cited section is in its file.",
  relevance: "Each source says why it supports the answer.",
  "inline-citation": "The answer names a cited file.",
  "confidence-justification": "The reason for the confidence describes the sources.",
  "unexplained-empty-sources": "An answer without sources says that nothing was found.",
  "out-of-domain-logic": "An answer out of domain has no sources.",
  "source-answer-alignment":
    "The cited sections are about what the answer says; an answer that shares no word with them is an error.",
  hallucination: "Names, numbers and quotes of the answer are in the knowledge base.",
} as const satisfies Record<string, string>;

/** A row of {@link navigatorRules}. */
export type NavigatorRule = keyof typeof navigatorRules;

/** A violation of a rule. */
export interface NavigatorFinding {
  readonly rule: NavigatorRule;
  /** An error: the response must not be forwarded as an answer. */
  readonly level: "error" | "warning";
  /** Field, such as `answer` or `sources[1].file`; empty for the response as a whole. */
  readonly field: string;
  /** Value of the field, truncated to 200 characters. */
  readonly value: string;
  /** Message for people, and for a model that repairs its response. */
  readonly message: string;
  /** Kind of token, where the rule is `hallucination`. */
  readonly pattern?: PatternKind | undefined;
}

/** Maximum number of characters of `value`. */
const valueLength = 200;

/** Creates a finding and truncates its value. */
export function finding(
  level: NavigatorFinding["level"],
  rule: NavigatorRule,
  field: string,
  value: string,
  message: string,
  pattern?: PatternKind,
): NavigatorFinding {
  const truncated = value.length > valueLength ? `${value.slice(0, valueLength - 1)}…` : value;
  return {
    rule,
    level,
    field,
    value: truncated,
    message,
    ...(pattern !== undefined && { pattern }),
  };
}
