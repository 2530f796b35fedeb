import { booleanAt, listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { findTopOwner } from "../diagnosis/top-of.js";

/** Adds to a volume that cannot be attached the node that holds it, and why the pod there does not release it. */
export function withAttachment(one: Finding, view: ClusterView): Finding {
  if (one.signal !== "FailedAttachVolume") return one;
  const { volume, node: wanted } = one.values;
  const held = view
    .list("VolumeAttachment")
    .filter(
      (each) =>
        textAt(each, "spec", "source", "persistentVolumeName") === volume &&
        textAt(each, "spec", "nodeName") !== wanted &&
        booleanAt(each, "status", "attached") === true,
    );
  const top = findTopOwner(one.object, view);
  const strategy = textAt(top, "spec", "strategy", "type") ?? "RollingUpdate";
  const isDeadlock =
    top.kind === "Deployment" &&
    strategy === "RollingUpdate" &&
    one.waitsFor?.some(
      (id) => view.byId(id) !== undefined && findTopOwner(view.byId(id) ?? top, view) === top,
    );
  const texts = [
    ...held.map(
      (each) =>
        `it is attached to node ${textAt(each, "spec", "nodeName") ?? "?"}${detaching(each)}`,
    ),
    ...(isDeadlock === true
      ? [
          `Deployment ${top.metadata.name} updates with RollingUpdate, so the new pod waits for the old one, which keeps the volume (strategy Recreate ends the old one first)`,
        ]
      : []),
  ];
  if (texts.length === 0) return one;
  return {
    ...one,
    summary: `${one.summary}; ${texts.join("; ")}`,
    evidence: [
      ...one.evidence,
      ...held.map((each) =>
        fieldEvidence(each, "spec.nodeName", textAt(each, "spec", "nodeName") ?? "?"),
      ),
    ],
  };
}

/** What keeps an attachment, as its status says. */
function detaching(attachment: unknown): string {
  const error = textAt(attachment, "status", "detachError", "message");
  if (error !== undefined) return `, and cannot be detached: ${error}`;
  return listAt(attachment, "metadata", "finalizers").length > 0 &&
    textAt(attachment, "metadata", "deletionTimestamp") !== undefined
    ? ", and is being detached"
    : "";
}
