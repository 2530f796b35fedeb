import type { Workflow } from "../catalog/workflow.js";
import { isOfKind, matchLabel } from "./labels.js";
import type { CheckedQuery } from "./query.js";

/** What a condition adds to the logit of the fit of an entry. */
const shifts = { met: 0.5, unmet: -4, unknown: -0.7 } as const;

/** Conditions of an entry, `key: values` each, by how what was seen of the object compares with them. */
export type CheckedConditions = Readonly<Record<keyof typeof shifts, readonly string[]>>;

/** Compares what was seen of the object with the conditions of an entry. */
export function checkConditions(
  { conditions }: Workflow,
  { observed }: CheckedQuery,
): CheckedConditions {
  const traits = observed?.traits ?? {};
  const checked = { met: [] as string[], unmet: [] as string[], unknown: [] as string[] };
  for (const [key, values] of Object.entries(conditions)) {
    const value = Object.hasOwn(traits, key) ? String(traits[key]) : "";
    const text = `${key}: ${values.join(" or ")}`;
    if (value === "") checked.unknown.push(text);
    else if (matchLabel(values, value) === "none" || (values.includes("*") && value === "false"))
      checked.unmet.push(text);
    else checked.met.push(text);
  }
  return checked;
}

/**
 * What the conditions of an entry make of its fit: seen on the object, it is made for that; seen with another value, it is
 * made for something else; not seen, it is not known.
 */
export function conditionShift(workflow: Workflow, query: CheckedQuery): number {
  const { met, unmet, unknown } = checkConditions(workflow, query);
  if (unmet.length > 0) return shifts.unmet;
  if (unknown.length > 0) return shifts.unknown;
  return met.length > 0 ? shifts.met : 0;
}

/** What traits of an object say in words, by `key=value`: what texts of entries speak of. */
const traitTexts: Readonly<Record<string, string>> = {
  "gitOpsManaged=true": "GitOps manages it",
  "gitOpsTool=argocd": "Argo CD manages it",
  "gitOpsTool=flux": "Flux manages it",
  "helmManaged=true": "Helm manages it",
  "pdbProtected=true": "A PodDisruptionBudget protects it",
  "hpaEnabled=true": "A HorizontalPodAutoscaler scales it",
  "networkIsolated=true": "A NetworkPolicy isolates it",
  "stateful=true": "It is a StatefulSet",
  "storageExpandable=false": "Expansion of its storage is not allowed",
};

/** Traits of an object as observations, for the comparison with what entries say of themselves. */
export function describeTraits({ observed }: CheckedQuery): readonly string[] {
  return Object.entries(observed?.traits ?? {}).flatMap(
    ([key, value]) => traitTexts[`${key}=${String(value)}`] ?? [],
  );
}

/** Two words for one severity: of an alert, and of an assessment. */
const alike: Readonly<Record<string, string>> = {
  warning: "medium",
  medium: "warning",
  info: "low",
  low: "info",
};
const otherShift = -0.3;

/** 0, or less for an entry that is made for another severity or another kind of object. */
export function severityShift({ labels }: Workflow, { observed }: CheckedQuery): number {
  const { severity, component } = observed ?? {};
  let shift = 0;
  if (severity !== undefined && (labels.severity ?? []).length > 0) {
    const other = alike[severity.toLowerCase()] ?? severity;
    const isMade = [severity, other].some((one) => matchLabel(labels.severity, one) !== "none");
    if (!isMade) shift += otherShift;
  }
  if (component !== undefined && (labels.component ?? []).length > 0) {
    if (!isOfKind(labels.component, component)) shift += otherShift;
  }
  return shift;
}
