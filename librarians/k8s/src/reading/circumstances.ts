import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, textAt, timeAt } from "../cluster/fields.js";
import { isOfExtension } from "../diagnosis/actors.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isUnready, listConditions } from "../diagnosis/conditions.js";
import { findMismatches } from "../diagnosis/detectors/agreement.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import { clause, type Finding } from "../diagnosis/finding.js";
import { listConfigMaps } from "../diagnosis/pod-references.js";
import { quote } from "../diagnosis/quote.js";
import { denialIn, rightsFor } from "../diagnosis/rbac-rules.js";
import { isReady } from "../diagnosis/ready.js";
import { newestRevision } from "../diagnosis/revision.js";
import { hasTrait } from "../diagnosis/signal-type.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { withText } from "./causes.js";

/** What else of the cluster bears on a finding: who holds its volume, what was changed before it, which right is missing. */
export function withCircumstances(one: Finding, view: ClusterView): Finding {
  return withConfigChange(withSettings(withRevision(withAttachment(one, view), view), view), view);
}

/** Adds settings of the failing pod, and of what makes it, that do not fit together. */
function withSettings(one: Finding, view: ClusterView): Finding {
  if (!one.current || !hasTrait(one.signal, "ofConfig") || one.signal === "SettingsMismatch")
    return one;
  const objects = [...new Set([one.object, findTopOwner(one.object, view)])];
  const [found] = objects.flatMap((object) => findMismatches(object, view));
  return found === undefined ? one : withText(one, found.text);
}

/** Adds to a volume that cannot be attached the node that holds it, and why the pod there does not release it. */
function withAttachment(one: Finding, view: ClusterView): Finding {
  if (one.signal !== "FailedAttachVolume") return one;
  const { volume, node: wanted } = one.values;
  const held = view
    .list("VolumeAttachment")
    .filter(
      (each) =>
        textAt(each, "spec", "source", "persistentVolumeName") === volume &&
        textAt(each, "spec", "nodeName") !== wanted &&
        booleanAt(each, "status", "attached") === true,
    )
    .map((each) => ({ each, node: textAt(each, "spec", "nodeName") ?? "?" }));
  const top = findTopOwner(one.object, view);
  const isRolling =
    top.kind === "Deployment" &&
    (textAt(top, "spec", "strategy", "type") ?? "RollingUpdate") === "RollingUpdate";
  const isDeadlock =
    isRolling &&
    one.waitsFor?.some((id) => {
      const holder = view.byId(id);
      return holder !== undefined && findTopOwner(holder, view) === top;
    });
  const texts = [
    ...held.map(({ each, node }) => `it is attached to node ${node}${detaching(each)}`),
    ...(isDeadlock === true
      ? [
          `Deployment ${top.metadata.name} updates with RollingUpdate, so the new pod waits for the old one, which keeps the volume (strategy Recreate ends the old one first)`,
        ]
      : []),
  ];
  if (texts.length === 0) return one;
  const evidence = held.map(({ each, node }) => fieldEvidence(each, "spec.nodeName", node));
  return withText(one, texts.join("; "), evidence);
}

/** What keeps an attachment, as its status says. */
function detaching(attachment: KubernetesObject): string {
  const error = textAt(attachment, "status", "detachError", "message");
  if (error !== undefined) return `, and cannot be detached: ${error}`;
  const isGoing = attachment.metadata.deletionTimestamp !== undefined;
  return isGoing && listAt(attachment, "metadata", "finalizers").length > 0
    ? ", and is being detached"
    : "";
}

/** How old a revision may be that is still taken for what changed, in milliseconds. */
const recentMs = 24 * 3_600_000;

/** Adds what differs in the newest revision, where its pods fail and those of the one before do not. */
function withRevision(one: Finding, view: ClusterView): Finding {
  if (!one.current || !hasTrait(one.signal, "ofTemplate")) return one;
  const top = findTopOwner(one.object, view);
  const { set, before, at, text } =
    (top.kind === "Deployment" ? newestRevision(top, view) : undefined) ?? {};
  if (set === undefined || before === undefined || at === undefined || view.now - at > recentMs)
    return one;
  const owner = view.owner(one.object);
  if (one.object.kind === "Pod" && owner !== undefined && owner !== set) return one;
  // Where the pods of the old template fail as well, the template is not why.
  const old = view.owned(before).filter(({ kind }) => kind === "Pod");
  if (text === undefined || (old.length > 0 && !old.some(isReady))) return one;
  return withText(one, text, [fieldEvidence(set, "spec.template", text, at)]);
}

/** How long before the first sign of a failure an edit may lie that is taken for what brought it, in milliseconds. */
const beforeMs = 3_600_000;
/** How far the times of two machines may differ, in milliseconds. */
const skewMs = 120_000;

/** Adds which of the ConfigMaps that a failing pod uses was edited shortly before it began to fail. */
function withConfigChange(one: Finding, view: ClusterView): Finding {
  const { object: pod } = one;
  if (!one.current || !hasTrait(one.signal, "ofConfig") || pod.kind !== "Pod") return one;
  const signs = [
    ...view.events(pod).map(({ type, firstSeen }) => (type === "Warning" ? firstSeen : undefined)),
    isUnready(pod) ? listConditions(pod).find(({ type }) => type === "Ready")?.at : undefined,
  ].filter((at) => at !== undefined);
  if (signs.length === 0) return one;
  const first = Math.min(...signs);
  const [edit] = listConfigMaps(pod.spec)
    .flatMap((name) => {
      const map = view.get("ConfigMap", pod.metadata.namespace, name);
      const at = timeAt(map, "metadata", "lastEdit", "at");
      return map === undefined || at === undefined ? [] : [{ map, at }];
    })
    .filter(({ at }) => at > first - beforeMs && at < first + skewMs)
    .sort((a, b) => b.at - a.at);
  if (edit === undefined) return one;
  const by = quote(textAt(edit.map, "metadata", "lastEdit", "by") ?? "", 60);
  const text = `ConfigMap ${edit.map.metadata.name}, which it uses, was edited at ${new Date(edit.at).toISOString().slice(11, 16)} UTC${clause(" by ", by)}, shortly before`;
  return withText(one, text, [fieldEvidence(edit.map, "metadata.managedFields", text, edit.at)]);
}

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
  const denial = one.signal === "RBACDenied" ? denialIn(one.message ?? "") : undefined;
  const { text = "", bindings = [] } = denial === undefined ? {} : rightsFor(denial, view);
  if (text === "") return one;
  const evidence = bindings.slice(0, 3).map((each) => fieldEvidence(each, "subjects", text));
  return { ...withText(one, text, evidence), values: { ...one.values, rights: text } };
}
