import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "./cluster-view.js";
import type { Finding } from "./finding.js";
import { describeReplaced } from "./recurrence.js";
import { hasTrait } from "./signal-type.js";
import { supersededBy } from "./superseded.js";
import { describeStarting } from "./within-limits.js";

/** True for an object that a finalizer keeps: it stays whatever has taken its place. */
function isHeld(findings: readonly Finding[]): boolean {
  return findings.some(
    ({ signal, values }) => signal === "StuckTerminating" && values.finalizers !== undefined,
  );
}

/**
 * Findings of one object, each with how it stands to what runs now: over where others have taken the place of what
 * it is about and it does not happen again and again, early where it says no more than that a thing within its own limits does not work yet.
 */
export function withStanding(
  findings: readonly Finding[],
  object: KubernetesObject,
  view: ClusterView,
): readonly Finding[] {
  if (findings.length === 0) return findings;
  const over = isHeld(findings) ? undefined : supersededBy(object, view);
  const again = over === undefined ? undefined : describeReplaced(object, view);
  if (again !== undefined)
    return findings.map((one) => ({
      ...one,
      severity: "medium",
      summary: `${one.summary}; ${over ?? ""}, but this happened ${again}`,
      standing: { kind: "recurring", why: again },
    }));
  if (over !== undefined)
    return findings.map((one) => ({
      ...one,
      current: false,
      severity: "low",
      standing: { kind: "over", why: over },
    }));
  if (!findings.some(({ signal }) => hasTrait(signal, "notYet"))) return findings;
  const early = describeStarting(object, view);
  if (early === undefined) return findings;
  return findings.map((one) =>
    hasTrait(one.signal, "notYet") ? { ...one, standing: { kind: "early", why: early } } : one,
  );
}
