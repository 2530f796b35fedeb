import type { Labels } from "../catalog/workflow.js";
import type { ScoringProfile } from "./profile.js";

/** What was seen of an object, by key. */
type Traits = Readonly<Record<string, string | boolean>>;

/** What a trait that entry and object share is worth, of ten. */
const traitWeights: Readonly<Record<string, number>> = {
  gitOpsManaged: 0.1,
  gitOpsTool: 0.1,
  virtualMachine: 0.08,
  pdbProtected: 0.05,
  serviceMesh: 0.05,
  storageBackend: 0.05,
  liveMigratable: 0.04,
  networkIsolated: 0.03,
  cdiManaged: 0.03,
  helmManaged: 0.02,
  stateful: 0.02,
  hpaEnabled: 0.02,
};
/** Traits of which another value rules an entry out. */
const excluding = ["gitOpsTool", "serviceMesh", "storageBackend"] as const;
const penalised = ["gitOpsManaged", "gitOpsTool"] as const;
const penaltyWeight = 0.1;
/** What a label beside the usual ones is worth, of ten. */
const customWeight = 0.15;
const usualLabels = new Set([
  "severity",
  "component",
  "environment",
  "priority",
  "cluster",
  "signal_type",
]);
const base = 5;

/**
 * The rules of a later contract: every entry that passes the filter has the same score, but for what was detected on
 * the object and for custom labels. Words count for nothing. An entry made for another tool is left out.
 */
export const kubernautProfile: ScoringProfile = ({ workflow, query }) => {
  const seen = query.observed?.traits ?? {};
  if (!fitsTraits(workflow.conditions, seen)) return undefined;
  const custom = Object.fromEntries(
    Object.entries(query.labels).filter(([key]) => !usualLabels.has(key)),
  );
  return finalScore({
    detectedBoost: detectedBoost(workflow.conditions, seen),
    customBoost: customBoost(workflow.labels, custom),
    penalty: detectedPenalty(workflow.conditions, seen),
  });
};

/** The score from its parts, at most 1. */
export function finalScore({
  detectedBoost: detected,
  customBoost: custom,
  penalty,
}: {
  readonly detectedBoost: number;
  readonly customBoost: number;
  readonly penalty: number;
}): number {
  return Math.min((base + detected + custom - penalty) / 10, 1);
}

/** Whether an entry is not made for another tool than the one that was seen. */
export function fitsTraits(conditions: Labels, seen: Traits): boolean {
  return excluding.every((key) => {
    const wanted = toText(seen[key]);
    const values = conditions[key] ?? [];
    if (wanted === "" || wanted === "*" || values.length === 0) return true;
    return matchShare(values, wanted) > 0;
  });
}

/** What the traits add that entry and object share; half for `*` on either side. */
export function detectedBoost(conditions: Labels, seen: Traits): number {
  return Object.entries(traitWeights).reduce(
    (sum, [key, weight]) => sum + weight * matchShare(conditions[key] ?? [], toText(seen[key])),
    0,
  );
}

/** What an entry loses that is not made for GitOps, or for another tool, where GitOps was seen. */
export function detectedPenalty(conditions: Labels, seen: Traits): number {
  const missed = penalised.filter((key) => {
    const wanted = toText(seen[key]);
    return wanted !== "" && matchShare(conditions[key] ?? [], wanted) === 0;
  });
  return missed.length * penaltyWeight;
}

/** What custom labels add; half for `*` in the entry. */
export function customBoost(labels: Labels, wanted: Readonly<Record<string, string>>): number {
  return Object.entries(wanted).reduce(
    (sum, [key, value]) => sum + customWeight * matchShare(labels[key] ?? [], value),
    0,
  );
}

function matchShare(values: readonly string[], wanted: string): number {
  const own = values
    .map((value) => value.toLowerCase())
    .filter((value) => value !== "" && value !== "false");
  if (wanted === "" || own.length === 0) return 0;
  if (wanted !== "*" && own.includes(wanted.toLowerCase())) return 1;
  return wanted === "*" || own.includes("*") ? 0.5 : 0;
}

function toText(value: string | boolean | undefined): string {
  return value === undefined || value === false ? "" : String(value);
}
