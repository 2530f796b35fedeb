import { isOfExtension } from "../diagnosis/actors.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { denialIn, rightsFor } from "../diagnosis/rbac-rules.js";

/** Takes the denial of a call that an extension reports of its own resource for the cause of what it reports. */
export function asDenied(one: Finding): Finding {
  const denial = one.message === undefined ? undefined : denialIn(one.message);
  if (denial?.account === undefined || denial.resource === undefined) return one;
  if (one.signal === "RBACDenied" || !isOfExtension(one.object)) return one;
  const { kind, metadata } = one.object;
  return {
    ...one,
    signal: "RBACDenied",
    summary: `the controller of ${kind} ${metadata.name} may not make what it needs: ${one.message ?? ""}`,
    symptoms: [{ ...one, symptoms: [] }, ...one.symptoms],
    values: { ...one.values, observed_signal: one.signal },
  };
}

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
