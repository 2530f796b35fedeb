import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { textAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { clause } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { listClaims } from "../pod-references.js";

/** A claim that waits for a volume, or lost its own. Waiting for a first consumer is how some classes work. */
export const volumeClaim: Detector = (object, view) => {
  const phase = textAt(object, "status", "phase");
  if (phase !== "Pending" && phase !== "Lost") return [];
  const { name, namespace } = object.metadata;
  const isLost = phase === "Lost";
  const className = textAt(object, "spec", "storageClassName");
  const storageClass = view.get("StorageClass", undefined, className ?? "\0");
  const isMissing =
    className !== undefined &&
    className !== "" &&
    view.presence("StorageClass", undefined, className) === "missing";
  const failed = view.event(
    object,
    "ProvisioningFailed",
    "FailedBinding",
    "VolumeMismatch",
    "ClaimMisbound",
  );
  const isWaiting =
    !isLost &&
    failed === undefined &&
    (view.event(object, "WaitForFirstConsumer") !== undefined ||
      textAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer");
  const isUsed = view.podsMatching(namespace, {}).some((pod) => listClaims(pod).includes(name));
  if (isWaiting && !isUsed) return [];
  const provisioning = view.event(object, "ExternalProvisioning", "Provisioning");
  const provisioner = textAt(storageClass, "provisioner");
  const volume = textAt(object, "spec", "volumeName");
  const why = [
    isLost && `its volume${clause(" ", volume)} is gone`,
    isMissing && `its storage class ${className} does not exist`,
    failed?.message,
    isWaiting && "its class waits for a pod to be scheduled",
    provisioning &&
      `it waits for a volume of its provisioner${clause(" ", provisioner)}, and no event says why that makes none`,
    (className ?? "") === "" && "no event says why, and it names no storage class",
    "no event says why",
  ].find((text) => typeof text === "string");
  const left = isLost ? [] : leftOver(className, view);
  const classes = view.list("StorageClass").map(({ metadata }) => metadata.name);
  return {
    signal: isLost ? "PVCLost" : "PVCPending",
    severity: isLost ? "critical" : isWaiting ? "low" : "high",
    // Waiting for the scheduler is what it waits for, not why the pod does.
    verified: !isWaiting,
    summary: `PersistentVolumeClaim ${name} is ${phase}: ${why}${left.map((one) => `; PersistentVolume ${one.metadata.name} is Released, and is not given to another claim before its claimRef is taken out`).join("")}`,
    message: failed?.message,
    evidence: [
      ["status.phase", phase],
      failed ?? provisioning,
      ...left.map((one) => fieldEvidence(one, "status.phase", "Released")),
      [
        "spec.storageClassName",
        isMissing
          ? `${className}, which does not exist; classes: ${classes.slice(0, 5).join(", ") || "none"}`
          : className,
      ],
      storageClass && fieldEvidence(storageClass, "provisioner", provisioner ?? "none"),
    ],
    next: [...describeCommand(object), "kubectl get storageclass"],
    values: {
      phase,
      storage_class: className,
      volume_name: volume,
      requested: requested(object),
    },
    key: `pvc|${namespace ?? ""}|${phase}|${name.replace(/-\d+$/, "")}|${why}`,
  };
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

function requested(object: KubernetesObject): string | undefined {
  const value = valueAt(object, "spec", "resources", "requests", "storage");
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
