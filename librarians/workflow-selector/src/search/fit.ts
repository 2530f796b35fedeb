import type { Workflow } from "../catalog/workflow.js";
import { isOfKind, matchLabel } from "./labels.js";
import type { CheckedQuery } from "./query.js";

/** What a condition makes of the fit of an entry. */
const metFactor = 1.6;
const unmetFactor = 0.3;
const unknownFactor = 0.7;

/**
 * What the conditions of an entry make of its fit: seen on the object, it is made for that; seen with another value, it is
 * made for something else; not seen, it is not known. Labels that only some entries demand count as conditions too.
 */
export function conditionFactor(
  { conditions, labels }: Workflow,
  { observed, labels: asked }: CheckedQuery,
): number {
  const traits = observed?.traits ?? {};
  const factors = Object.entries(conditions).map(([key, values]) => {
    const value = Object.hasOwn(traits, key) ? traits[key] : undefined;
    if (value === undefined || value === "") return unknownFactor;
    return value !== false && matchLabel(values, String(value)) !== "none"
      ? metFactor
      : unmetFactor;
  });
  if (labels.risk_tolerance !== undefined && asked.risk_tolerance === undefined) {
    factors.push(unknownFactor);
  }
  if (factors.length === 0) return 1;
  return Math.min(...factors) < 1 ? Math.min(...factors) : Math.max(...factors);
}

/** Two words for one severity: of an alert, and of an assessment. */
const alike: Readonly<Record<string, string>> = {
  warning: "medium",
  medium: "warning",
  info: "low",
  low: "info",
};

/** 1, or less for an entry that is made for another severity or another kind of object. */
export function severityFactor({ labels }: Workflow, { observed }: CheckedQuery): number {
  let fit = 1;
  const { severity, component } = observed ?? {};
  if (severity !== undefined && (labels.severity ?? []).length > 0) {
    const other = alike[severity.toLowerCase()] ?? severity;
    const isMade = [severity, other].some((one) => matchLabel(labels.severity, one) !== "none");
    if (!isMade) fit *= 0.7;
  }
  if (component !== undefined && (labels.component ?? []).length > 0) {
    if (!isOfKind(labels.component, component)) fit *= 0.7;
  }
  return fit;
}
