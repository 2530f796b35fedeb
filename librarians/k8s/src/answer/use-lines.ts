import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { kindsThat } from "../cluster/kind-traits.js";
import { hostsIn } from "../diagnosis/call.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Reference } from "../diagnosis/custom-references.js";
import { listReferences } from "../diagnosis/detectors/references.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { podReferences } from "../diagnosis/pod-references.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import type { LookupScope } from "../query/lookup-scope.js";
import { secretIn } from "../question/use-words.js";
import type { LookedUp } from "./forms.js";

/** What uses the things that a question names, a line for each user: pods as their workload. */
export function lookupUsers({
  named,
  names,
  kinds,
  subject,
  query,
  namespace,
  view,
}: LookupScope): LookedUp {
  const secret = secretIn(query);
  const ofKind = named.filter(({ kind }) => kinds.includes(kind));
  // "Who uses configmap web?" means that, also where only a workload of the name was read.
  const [kindAsked] = kinds;
  const things =
    secret !== undefined
      ? [{ kind: "Secret", name: secret, namespace }]
      : ofKind.length === 0 && kindAsked !== undefined
        ? named.slice(0, 1).map(({ metadata: { name, namespace: place } }) => ({
            kind: kindAsked,
            name,
            namespace: place,
          }))
        : (ofKind.length > 0 ? ofKind : named).map(({ kind, metadata }) => ({
            kind,
            name: metadata.name,
            namespace: metadata.namespace,
          }));
  const wanted =
    things.length > 0
      ? things
      : names.slice(0, 5).map((name) => ({ kind: undefined, name, namespace }));
  const found = new Map<string, { readonly user: KubernetesObject; readonly how: string }>();
  for (const object of kindsThat("uses").flatMap((kind) => view.list(kind))) {
    for (const { kind, name, at } of listUses(object, view)) {
      const isMeant = wanted.some(
        (one) =>
          one.name === name &&
          (one.kind === undefined || one.kind === kind) &&
          (one.namespace === undefined ||
            object.metadata.namespace === undefined ||
            one.namespace === object.metadata.namespace),
      );
      const user = findTopOwner(object, view);
      if (isMeant && !found.has(toObjectId(user)))
        found.set(toObjectId(user), { user, how: `${kind} ${name}, ${at}` });
    }
  }
  const what =
    secret !== undefined
      ? `Secret ${secret}`
      : things.length > 0
        ? things.map(({ kind, name }) => `${kind} ${name}`).join(", ")
        : subject;
  return {
    head:
      found.size === 0
        ? `${what} is used by nothing that was read`
        : `${what} is used by ${[...found.keys()].slice(0, 3).join(", ")}${found.size > 3 ? ` and ${found.size - 3} more` : ""}`,
    lines: [...found].map(([of, { how }]) => ({ of, text: how })),
    objects: [...found.values()].map(({ user }) => user),
  };
}

/** Names of Secrets that objects name, of one namespace or of all. Secrets are not read. */
export function listSecretNames(view: ClusterView, namespace?: string): ReadonlySet<string> {
  return new Set(
    kindsThat("uses")
      .flatMap((kind) => view.list(kind))
      .filter((one) => namespace === undefined || one.metadata.namespace === namespace)
      .flatMap((one) => listUses(one, view))
      .flatMap(({ kind, name }) => (kind === "Secret" ? [name] : [])),
  );
}

/** What the things that a question names need: what they mount, read, run as and call. */
export function lookupNeeds({ named, kinds, subject, view }: LookupScope): LookedUp {
  const lines = new Map<string, string>();
  for (const object of named) {
    const { namespace } = object.metadata;
    for (const { kind, name, at, clusterScoped } of listUses(object, view)) {
      const presence = view.presence(kind, clusterScoped === true ? undefined : namespace, name);
      const state =
        kind === "Secret"
          ? "not read, by design"
          : presence === "there"
            ? "it is there"
            : presence === "missing"
              ? "was not found"
              : "was not read";
      const line = `${kind} ${name} (${state}), ${at}`;
      if (!lines.has(`${kind}/${name}`)) lines.set(`${kind}/${name}`, line);
    }
  }
  // "Which configmaps does web use?" asks for no more than these.
  const asked = kinds.filter((kind) => named.every((one) => one.kind !== kind));
  const of = [...lines].filter(
    ([id]) => asked.length === 0 || asked.some((kind) => id.startsWith(`${kind}/`)),
  );
  const all = of.map(([, line]) => line);
  const what = asked.length === 0 ? "nothing that it needs" : `no ${asked.join(" or ")}`;
  return {
    head:
      all.length === 0
        ? `${subject} names ${what} in what was read`
        : `${subject} needs ${all.length} ${all.length === 1 ? "thing" : "things"}: ${of
            .slice(0, 6)
            .map(([id]) => id)
            .join(", ")}${all.length > 6 ? ` and ${all.length - 6} more` : ""}`,
    lines: all.map((text) => ({ text })),
    objects: named,
  };
}

/** Everything that an object names, each with its place. */
function listUses(object: KubernetesObject, view: ClusterView): readonly Reference[] {
  const spec = findPodSpec(object);
  const { namespace } = object.metadata;
  return [
    ...(spec === undefined ? listReferences(object, view) : podReferences(spec, "spec", true)),
    ...(spec !== undefined && textAt(spec, "serviceAccountName") === "default"
      ? [{ kind: "ServiceAccount", name: "default", at: "spec.serviceAccountName" }]
      : []),
    ...[...listAt(spec, "initContainers"), ...listAt(spec, "containers")].flatMap((container) =>
      listAt(container, "env").flatMap((variable) =>
        hostsIn(textAt(variable, "value") ?? "").flatMap((host) => {
          const [name = "", place] = host.split(".");
          const found = view.get("Service", place ?? namespace, name);
          return found === undefined
            ? []
            : [{ kind: "Service", name, at: `env ${textAt(variable, "name") ?? "?"}` }];
        }),
      ),
    ),
    ...listAt(object, "subjects").flatMap((one) =>
      textAt(one, "kind") === "ServiceAccount"
        ? [{ kind: "ServiceAccount", name: textAt(one, "name") ?? "", at: "subjects" }]
        : [],
    ),
    ...under(object, ["spec", "scaleTargetRef"]),
    ...under(object, ["spec", "issuerRef"]),
    ...(object.kind === "PersistentVolumeClaim"
      ? [
          ...toReferences(
            "StorageClass",
            textAt(object, "spec", "storageClassName"),
            "spec.storageClassName",
          ),
          ...toReferences(
            "PersistentVolume",
            textAt(object, "spec", "volumeName"),
            "spec.volumeName",
          ),
        ]
      : []),
  ];
}

function under(object: KubernetesObject, path: readonly string[]): readonly Reference[] {
  const reference = recordAt(object, ...path);
  return toReferences(textAt(reference, "kind") ?? "", textAt(reference, "name"), path.join("."));
}

function toReferences(kind: string, name: string | undefined, at: string): readonly Reference[] {
  return name === undefined || name === "" || kind === ""
    ? []
    : [{ kind, name, at, clusterScoped: /^Cluster|Class$|^PersistentVolume$/.test(kind) }];
}
