import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Finding, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined } from "../pod-finding.js";

/** A claim that waits for a volume, or lost its own. Waiting for a first consumer is how some classes work. */
export const volumeClaim: Detector = (object, view) => {
  const phase = textAt(object, "status", "phase");
  if (phase !== "Pending" && phase !== "Lost") return resizing(object, view);
  const { name } = object.metadata;
  const className = textAt(object, "spec", "storageClassName");
  const storageClass =
    className === undefined ? undefined : view.get("StorageClass", undefined, className);
  const presence =
    className === undefined || className === ""
      ? "there"
      : view.presence("StorageClass", undefined, className);
  const events = view.events(object);
  const failed = events.find(
    ({ reason }) =>
      reason === "ProvisioningFailed" ||
      reason === "FailedBinding" ||
      reason === "VolumeMismatch" ||
      reason === "ClaimMisbound",
  );
  const waits = events.find(({ reason }) => reason === "WaitForFirstConsumer");
  const isWaiting =
    phase === "Pending" &&
    failed === undefined &&
    (waits !== undefined || textAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer");
  const hasUser = isUsed(object, view);
  if (isWaiting && !hasUser) {
    return [];
  }
  const provisioning = events.find(
    ({ reason }) => reason === "ExternalProvisioning" || reason === "Provisioning",
  );
  const provisioner = textAt(storageClass, "provisioner");
  const volume = textAt(object, "spec", "volumeName");
  const why =
    phase === "Lost"
      ? `its volume${volume === undefined ? "" : ` ${volume}`} is gone`
      : presence === "missing"
        ? `its storage class ${className ?? ""} does not exist`
        : failed !== undefined
          ? failed.message
          : isWaiting
            ? "its class waits for a pod to be scheduled"
            : provisioning !== undefined
              ? `it waits for a volume of its provisioner${provisioner === undefined ? "" : ` ${provisioner}`}, and no event says why that makes none`
              : className === undefined || className === ""
                ? "no event says why, and it names no storage class"
                : "no event says why";
  const left = phase === "Pending" ? leftOver(className, view) : [];
  return [
    finding({
      signal: phase === "Lost" ? "PVCLost" : "PVCPending",
      severity: phase === "Lost" ? "critical" : isWaiting ? "low" : "high",
      object,
      confidence: phase === "Lost" || presence === "missing" || failed !== undefined ? 0.92 : 0.65,
      // Waiting for the scheduler is what it waits for, not why the pod does.
      verified: !isWaiting,
      summary: `PersistentVolumeClaim ${name} is ${phase}: ${why}${left.map((one) => `; PersistentVolume ${one.metadata.name} is Released, and is not given to another claim before its claimRef is taken out`).join("")}`,
      message: failed?.message,
      evidence: [
        fieldEvidence(object, "status.phase", phase),
        ...(failed === undefined ? [] : [eventEvidence(failed)]),
        ...(failed === undefined && provisioning !== undefined
          ? [eventEvidence(provisioning)]
          : []),
        ...left.map((one) => fieldEvidence(one, "status.phase", "Released")),
        ...(className === undefined
          ? []
          : [
              fieldEvidence(
                object,
                "spec.storageClassName",
                presence === "missing"
                  ? `${className}, which does not exist; classes: ${classes(view)}`
                  : className,
              ),
            ]),
        ...(storageClass === undefined
          ? []
          : [fieldEvidence(storageClass, "provisioner", provisioner ?? "none")]),
      ],
      next: [...describeCommand(object), "kubectl get storageclass"],
      values: defined({
        phase,
        storage_class: className,
        volume_name: volume,
        requested: quantity(object),
      }),
      key: `pvc|${object.metadata.namespace ?? ""}|${phase}|${name.replace(/-\d+$/, "")}|${why}`,
    }),
  ];
};

/** Volumes of a class that the claim before has left, and that no claim gets. */
function leftOver(className: string | undefined, view: ClusterView): readonly KubernetesObject[] {
  return view
    .list("PersistentVolume")
    .filter(
      (one) =>
        className !== undefined &&
        textAt(one, "spec", "storageClassName") === className &&
        textAt(one, "status", "phase") === "Released",
    )
    .slice(0, 2);
}

function isUsed(claim: KubernetesObject, view: ClusterView): boolean {
  return view.podsMatching(claim.metadata.namespace, {}).some((pod) => {
    const volumes = valueAt(pod, "spec", "volumes");
    return (
      Array.isArray(volumes) &&
      volumes.some(
        (volume) => textAt(volume, "persistentVolumeClaim", "claimName") === claim.metadata.name,
      )
    );
  });
}

function quantity(object: KubernetesObject): string | undefined {
  const value = valueAt(object, "spec", "resources", "requests", "storage");
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function classes(view: ClusterView): string {
  return (
    view
      .list("StorageClass")
      .map(({ metadata }) => metadata.name)
      .slice(0, 5)
      .join(", ") || "none"
  );
}

/** A bound claim whose volume cannot be made larger. */
function resizing(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex(
    (one) =>
      /^(?:ControllerResizeError|NodeResizeError|ModifyVolumeError|FileSystemResizePending)$/.test(
        textAt(one, "type") ?? "",
      ) && textAt(one, "status") === "True",
  );
  const infeasible = Object.entries(recordAt(object, "status", "allocatedResourceStatuses")).find(
    ([, status]) => /Infeasible$/.test(String(status)),
  );
  const event = view
    .events(object)
    .find(({ reason }) =>
      /^(?:VolumeResizeFailed|FileSystemResizeFailed|VolumeModifyFailed)$/.test(reason),
    );
  if (index < 0 && infeasible === undefined && event === undefined) return [];
  const said = textAt(conditions[index], "message") ?? event?.message;
  const what =
    textAt(conditions[index], "type") ??
    (infeasible === undefined ? (event?.reason ?? "") : String(infeasible[1]));
  return [
    finding({
      signal: "PVCPending",
      severity: "medium",
      object,
      confidence: 0.88,
      summary: `PersistentVolumeClaim ${object.metadata.name} cannot be resized${quantity(object) === undefined ? "" : ` to ${quantity(object)}`} (${what})${said === undefined ? "" : `: ${said}`}`,
      message: said,
      evidence: [
        ...(index < 0
          ? []
          : [fieldEvidence(object, `status.conditions[${index}]`, `${what} True: ${said ?? ""}`)]),
        ...(event === undefined ? [] : [eventEvidence(event)]),
        ...(infeasible === undefined
          ? []
          : [fieldEvidence(object, "status.allocatedResourceStatuses", String(infeasible[1]))]),
      ],
      next: describeCommand(object),
      values: defined({ phase: textAt(object, "status", "phase"), requested: quantity(object) }),
    }),
  ];
}
