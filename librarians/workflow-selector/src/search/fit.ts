import type { Workflow } from "../catalog/workflow.js";
import { isOfKind, matchLabel } from "./labels.js";
import type { CheckedQuery } from "./query.js";

const metCondition = 0.35;
const unmetCondition = -0.25;
const unknownCondition = -0.1;

/**
 * What the conditions of an entry add to its fit: seen on the object, it is made for that; looked for and
 * not seen, it is made for something else. Labels that only some entries demand count as conditions too.
 */
export function conditionFit(
  { conditions, labels }: Workflow,
  { observed, labels: asked }: CheckedQuery,
) {
  const traits = observed?.traits;
  const fits = Object.entries(conditions).map(([key, values]) => {
    if (traits === undefined) return unknownCondition;
    const value = Object.hasOwn(traits, key) ? traits[key] : undefined;
    if (value === undefined || value === false || value === "") return unmetCondition;
    return matchLabel(values, String(value)) === "none" ? unmetCondition : metCondition;
  });
  if (labels.risk_tolerance !== undefined && asked.risk_tolerance === undefined) {
    fits.push(unknownCondition);
  }
  if (fits.length === 0) return 0;
  return Math.min(...fits) < 0 ? Math.min(...fits) : Math.max(...fits);
}

/** Two words for one severity: of an alert, and of an assessment. */
const alike: Readonly<Record<string, string>> = {
  warning: "medium",
  medium: "warning",
  info: "low",
  low: "info",
};

/** 1, or less for an entry that is made for another severity or another kind of object. */
export function severityFit({ labels }: Workflow, { observed }: CheckedQuery): number {
  let fit = 1;
  const { severity, component } = observed ?? {};
  if (severity !== undefined && labels.severity !== undefined) {
    const other = alike[severity.toLowerCase()] ?? severity;
    const isMade = [severity, other].some((one) => matchLabel(labels.severity, one) !== "none");
    if (!isMade) fit *= 0.7;
  }
  if (component !== undefined && labels.component !== undefined) {
    if (!isOfKind(labels.component, component)) fit *= 0.95;
  }
  return fit;
}
