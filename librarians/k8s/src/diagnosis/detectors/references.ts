import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import { isKindName } from "../../cluster/kinds.js";
import { listNamed } from "../agreements.js";
import type { ClusterView } from "../cluster-view.js";
import { customReferences, type Reference } from "../custom-references.js";
import type { Detector } from "../detector.js";
import { siblingKey } from "../pod-finding.js";
import { named, podReferences } from "../pod-references.js";
import { podSpecPath } from "../pod-spec.js";

/** Names of things that do not exist. By themselves they may do no harm; what suffers from one says so elsewhere. */
export const references: Detector = (object, view, { signals }) => {
  const { namespace } = object.metadata;
  const bad = new Map<string, { readonly text: string; at: string; isMissing: boolean }>();
  for (const { kind, name, at, clusterScoped } of listReferences(object, view)) {
    const presence = view.presence(kind, clusterScoped === true ? undefined : namespace, name);
    const id = `${kind} ${name}`;
    if (presence === "there" || bad.has(id)) continue;
    const isMissing = presence === "missing";
    const text = isMissing
      ? `${id} does not exist`
      : kind === "Secret"
        ? `${id}: Secrets are never read, so whether it exists was not checked`
        : `${id} was not found: no ${kind} could be read`;
    bad.set(id, { text, at, isMissing });
  }
  const all = [...bad].sort(([, a], [, b]) => Number(b.isMissing) - Number(a.isMissing));
  const isAny = all.some(([, { isMissing }]) => isMissing);
  const said = all.filter(([, { isMissing }]) => isMissing || signals.has("MissingReference"));
  if (said.length === 0) return [];
  const texts = said.map(([, { text }]) => text);
  return {
    signal: "MissingReference",
    severity: isAny ? "medium" : "low",
    // That a name leads nowhere is sure; that something suffers from it is not.
    verified: false,
    summary: `${object.kind} ${object.metadata.name} references what ${isAny ? "does not exist" : "could not be found"}: ${texts.join("; ")}`,
    evidence: said.map(([id, { at }]) => [at, id] as const),
    // Pods repeat what their controller's template says.
    key: siblingKey(view, object, "references", texts.join()),
    values: { references: said.map(([id]) => id) },
  };
};

/** What an object names that must be there. */
export function listReferences(object: KubernetesObject, view: ClusterView): readonly Reference[] {
  const path = podSpecPath(object);
  const ofPods = path === undefined ? [] : podReferences(recordAt(object, ...path), path.join("."));
  const named = listNamed(object).filter(({ row }) => row.signal === "MissingReference");
  const own = isKindName(object.kind) ? ofPods : customReferences(object.spec);
  const claimed = object.kind === "StatefulSet" ? claimReferences(object, view) : [];
  return [
    ...named.map((one) => ({ ...one, clusterScoped: one.namespace === undefined })),
    ...claimed,
    ...own,
  ];
}

/** Classes of the claims that a StatefulSet has yet to make. */
function claimReferences(object: KubernetesObject, view: ClusterView): readonly Reference[] {
  const { namespace, name } = object.metadata;
  // A claim that was made reports its class itself.
  const isMade = (claim: unknown) =>
    view.get(
      "PersistentVolumeClaim",
      namespace,
      `${textAt(claim, "metadata", "name") ?? ""}-${name}-0`,
    ) !== undefined;
  return listAt(object, "spec", "volumeClaimTemplates").flatMap((claim, index) =>
    isMade(claim)
      ? []
      : named(
          "StorageClass",
          textAt(claim, "spec", "storageClassName"),
          `spec.volumeClaimTemplates[${index}].spec.storageClassName`,
        ).map((one) => ({ ...one, clusterScoped: true })),
  );
}
