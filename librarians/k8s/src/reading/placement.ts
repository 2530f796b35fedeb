import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import { type Finding, finding } from "../diagnosis/finding.js";
import { describeCommand } from "../diagnosis/kubectl.js";
import { listUnmetRequirements } from "../diagnosis/node-requirements.js";
import { untolerated } from "../diagnosis/scheduling-causes.js";
import type { Question } from "../question/question.js";

/** A question about nodes on which something does not run. */
const absent = /\bnodes?\b.{0,100}|\bon\b/i;
const denial = /\b(?:not|no|n't|isn't|doesn't|without|missing|only|all|every|some)\b|n't\b/i;

/** Taints that a DaemonSet's pods tolerate by themselves. */
const tolerated = /^node\.kubernetes\.io\//;

/**
 * What keeps a DaemonSet from the nodes on which it has no pod, where a question asks for that: it is by design,
 * so no other question gets it as a finding.
 */
export function placements(
  objects: readonly KubernetesObject[],
  { query, names }: Question,
  view: ClusterView,
): readonly Finding[] {
  if (!absent.test(query) || !denial.test(query) || !view.isRead("Pod")) return [];
  const sets = new Set(
    objects.flatMap((object) => {
      const owner = object.kind === "Pod" ? view.owner(object) : object;
      return owner?.kind === "DaemonSet" ? [owner] : [];
    }),
  );
  const named = view.list("Node").filter(({ metadata }) => names.includes(metadata.name));
  const nodes = named.length > 0 ? named : view.list("Node");
  return [...sets].flatMap((set) => {
    const used = new Set(view.owned(set).flatMap((pod) => textAt(pod, "spec", "nodeName") ?? []));
    const left = nodes
      .filter(({ metadata }) => !used.has(metadata.name))
      .flatMap((node) => {
        const why = keptFrom(set, node);
        return why === "" ? [] : [{ node, why }];
      });
    if (left.length === 0) return [];
    const text = left
      .slice(0, 5)
      .map(({ node, why }) => `node ${node.metadata.name}: ${why}`)
      .join("; ");
    return [
      finding({
        signal: "FailedScheduling",
        severity: "low",
        object: set,
        summary: `DaemonSet ${set.metadata.name} places no pod on ${text}`,
        message: text,
        evidence: left.slice(0, 5).map(({ node, why }) => fieldEvidence(node, "spec", why)),
        next: describeCommand(set),
        values: { nodes: left.map(({ node }) => node.metadata.name).slice(0, 20) },
      }),
    ];
  });
}

/** Why a DaemonSet's pods cannot be on a node. Empty when nothing that was read says so. */
function keptFrom(set: KubernetesObject, node: KubernetesObject): string {
  const spec = recordAt(set, "spec", "template", "spec");
  const taints = untolerated(spec, node).filter((taint) => !tolerated.test(taint));
  const lacks = listUnmetRequirements(spec, node);
  return [
    taints.length === 0 ? "" : `its template does not tolerate the taint ${taints.join(", ")}`,
    lacks.length === 0 ? "" : `the node lacks ${lacks.join(", ")}`,
  ]
    .filter((part) => part !== "")
    .join(", and ");
}
