import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Evidence, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { toObjectId } from "../object-id.js";
import { defined } from "../pod-finding.js";

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
  const conditions = listAt(object, "status", "conditions").flatMap((one, index) =>
    isNamespace && remaining.test(textAt(one, "type") ?? "") && textAt(one, "status") === "True"
      ? [
          {
            text: `${textAt(one, "type")}: ${textAt(one, "message") ?? textAt(one, "reason") ?? ""}`,
            index,
            at: timeAt(one, "lastTransitionTime"),
          },
        ]
      : [],
  );
  const users = findPodsUsing(object, view);
  const why = [
    ...conditions.map(({ text }) => text),
    ...(finalizers.length === 0 ? [] : [`finalizers ${finalizers.join(", ")}`]),
    ...(users.length === 0
      ? []
      : [
          `still used by ${users
            .slice(0, 5)
            .map((one) => one.metadata.name)
            .join(", ")}`,
        ]),
    ...lostNode(object, view),
  ];
  const event = view.events(object).find(({ type }) => type === "Warning");
  return [
    finding({
      signal: "StuckTerminating",
      severity: isNamespace ? "high" : "medium",
      object,
      confidence: why.length > 0 ? 0.9 : 0.6,
      summary: `${object.kind} ${object.metadata.name} has been Terminating${since === undefined ? "" : ` since ${new Date(since).toISOString()}`}${why.length === 0 ? "; nothing that was read says why" : `: ${why.join("; ")}`}`,
      message: conditions[0]?.text ?? event?.message,
      evidence: [
        ...(since === undefined
          ? []
          : [
              fieldEvidence(
                object,
                "metadata.deletionTimestamp",
                new Date(since).toISOString(),
                since,
              ),
            ]),
        ...(finalizers.length === 0
          ? []
          : [fieldEvidence(object, "metadata.finalizers", finalizers.join(", "))]),
        ...conditions.map(({ text, index, at }) =>
          fieldEvidence(object, `status.conditions[${index}]`, text, at),
        ),
        ...users
          .slice(0, 3)
          .map(
            (user): Evidence => fieldEvidence(user, "spec.volumes", `uses ${object.metadata.name}`),
          ),
        ...(event === undefined ? [] : [eventEvidence(event)]),
      ],
      next: describeCommand(object),
      values: defined({
        deletion_timestamp: textAt(object, "metadata", "deletionTimestamp"),
        finalizers: finalizers.length === 0 ? undefined : finalizers,
        used_by: users.length === 0 ? undefined : users.slice(0, 10).map(toObjectId),
      }),
    }),
  ];
};

/** Pods that keep a claim. */
function findPodsUsing(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  if (object.kind !== "PersistentVolumeClaim") return [];
  return view
    .podsMatching(object.metadata.namespace, {})
    .filter((pod) =>
      listAt(pod, "spec", "volumes").some(
        (volume) => textAt(volume, "persistentVolumeClaim", "claimName") === object.metadata.name,
      ),
    );
}

/** A pod ends only when its kubelet says so. */
function lostNode(object: KubernetesObject, view: ClusterView): readonly string[] {
  const name = object.kind === "Pod" ? textAt(object, "spec", "nodeName") : undefined;
  const node = name === undefined ? undefined : view.get("Node", undefined, name);
  const ready = listAt(node, "status", "conditions").find((one) => textAt(one, "type") === "Ready");
  return ready !== undefined && textAt(ready, "status") !== "True"
    ? [`its node ${name} is not ready`]
    : [];
}
