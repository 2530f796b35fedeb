import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { isUnready, listConditions } from "../conditions.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { clause } from "../finding.js";
import { toObjectId } from "../object-id.js";
import { listClaims } from "../pod-references.js";

/** How long after its grace period an object may still be there, in milliseconds. */
const patienceMs = 120_000;

/** Conditions of a namespace that say why it is not gone yet, bad when True. */
const remaining = /^Namespace(?:Deletion|Content|Finalizers)/;

/** An object whose deletion was asked for and does not end: a finalizer, content or a lost node keeps it. */
export const terminating: Detector = (object, view) => {
  const since = timeAt(object, "metadata", "deletionTimestamp");
  const isNamespace = object.kind === "Namespace";
  const isGoing = isNamespace && textAt(object, "status", "phase") === "Terminating";
  if (since === undefined && !isGoing) return [];
  const graceMs = (numberAt(object, "metadata", "deletionGracePeriodSeconds") ?? 0) * 1_000;
  if (since !== undefined && view.now - since < patienceMs + (isNamespace ? 0 : graceMs)) return [];
  const finalizers = listAt(object, "metadata", "finalizers").filter(
    (one) => typeof one === "string",
  );
  const said = listConditions(object)
    .filter(({ type, status }) => isNamespace && status === "True" && remaining.test(type))
    .map(({ type, message, reason, path, at }) => {
      return [path, `${type}: ${message || reason}`, at] as const;
    });
  const users = findPodsUsing(object, view);
  const node = object.kind === "Pod" ? view.nodeOf(object) : undefined;
  const why = [
    ...said.map(([, text]) => text),
    clause("finalizers ", finalizers.join(", ")),
    clause(
      "still used by ",
      users
        .slice(0, 5)
        .map((one) => one.metadata.name)
        .join(", "),
    ),
    isUnready(node) ? `its node ${node?.metadata.name ?? ""} is not ready` : "",
  ].filter((text) => text !== "");
  const event = view.warning(object);
  const when = since === undefined ? undefined : new Date(since).toISOString();
  return {
    signal: "StuckTerminating",
    severity: isNamespace ? "high" : "medium",
    summary: `${object.kind} ${object.metadata.name} has been Terminating${clause(" since ", when)}${clause(": ", why.join("; ")) || "; nothing that was read says why"}`,
    message: said[0]?.[1] ?? event?.message,
    evidence: [
      ["metadata.deletionTimestamp", when, since],
      ["metadata.finalizers", finalizers.join(", ") || undefined],
      ...said,
      ...users
        .slice(0, 3)
        .map((user) => fieldEvidence(user, "spec.volumes", `uses ${object.metadata.name}`)),
      event,
    ],
    values: {
      deletion_timestamp: textAt(object, "metadata", "deletionTimestamp"),
      finalizers: finalizers.length === 0 ? undefined : finalizers,
      used_by: users.length === 0 ? undefined : users.slice(0, 10).map(toObjectId),
    },
  };
};

/** Pods that keep a claim. */
function findPodsUsing(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  if (object.kind !== "PersistentVolumeClaim") return [];
  return view
    .podsMatching(object.metadata.namespace, {})
    .filter((pod) => listClaims(pod).includes(object.metadata.name));
}
