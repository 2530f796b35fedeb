import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { denialIn, rightsFor } from "../diagnosis/rbac-rules.js";

/** Adds to a denied call what roles and bindings say about it. Other findings stay as they are. */
export function withRights(one: Finding, view: ClusterView): Finding {
  if (one.signal !== "RBACDenied" || one.message === undefined) return one;
  const denial = denialIn(one.message);
  if (denial === undefined) return one;
  const { text, bindings } = rightsFor(denial, view);
  if (text === "") return one;
  return {
    ...one,
    summary: `${one.summary}; ${text}`,
    evidence: [
      ...one.evidence,
      ...bindings.slice(0, 3).map((binding) => fieldEvidence(binding, "subjects", text)),
    ],
    values: { ...one.values, rights: text },
  };
}
