import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { isKindName } from "../cluster/kinds.js";
import { findNamed, type Named } from "./agreements.js";
import type { ClusterView } from "./cluster-view.js";
import { controlledBy, findDependents, isInstallPlanFor, workloadsWith } from "./dependents.js";
import { makersFor } from "./makers.js";
import { meshPoliciesFor } from "./mesh-policy.js";
import { keptBy, leasesOf, managedBy, namedBy, namersOf } from "./named-objects.js";
import { toObjectId } from "./object-id.js";
import { podReferences } from "./pod-references.js";
import { findSameStem } from "./same-stem.js";
import { matchesSelector } from "./selector.js";

/** Objects that have to do with a target. */
export interface Family {
  /** The target and what it represents: its pods, or those it sends to. */
  readonly own: ReadonlySet<string>;
  /** Everything to look at. */
  readonly all: readonly KubernetesObject[];
}

/** Follows owners, selectors, claims, nodes and targets from what a question names. */
export function findFamily(targets: readonly KubernetesObject[], view: ClusterView): Family {
  const own = new Set<string>();
  for (const target of targets) {
    own.add(toObjectId(target));
    for (const id of controlledBy(target, view)) own.add(id);
    for (const object of findRepresented(target, view)) {
      own.add(toObjectId(object));
      if (object.kind === "Pod") continue;
      for (const id of controlledBy(object, view)) own.add(id);
      if (object.kind === "Service")
        for (const pod of findRepresented(object, view)) own.add(toObjectId(pod));
    }
  }
  for (const one of findSameStem(targets, view)) own.add(toObjectId(one));
  const all = new Map<string, KubernetesObject>();
  const add = (object: KubernetesObject | undefined) => {
    if (object !== undefined) all.set(toObjectId(object), object);
  };
  for (const target of targets) {
    add(target);
    for (const find of [keptBy, namersOf, leasesOf]) for (const one of find(target, view)) add(one);
  }
  for (const id of own) add(view.byId(id));
  // What is wrong with a setting or an account shows in the pods that use it.
  for (const target of targets) for (const user of findUsers(target, view)) add(user);
  for (const object of [...all.values()]) {
    // A node's pods suffer with it; they are not the cause of its trouble.
    if (object.kind === "Node") continue;
    for (const id of findDependents(object, view)) add(view.byId(id));
  }
  let fresh = [...all.values()];
  // A pod needs a Secret, that a Certificate, that an issuer, and what an extension made belongs to it.
  for (let step = 0; step < maxSteps && fresh.length > 0; step++) {
    const before = new Set(all.keys());
    for (const object of fresh) {
      for (const cause of findPrerequisites(object, view)) add(cause);
      if (!isKindName(object.kind) || ofExtensions.has(object.kind))
        for (const id of controlledBy(object, view)) add(view.byId(id));
    }
    fresh = [...all.values()].filter((one) => !before.has(toObjectId(one)));
  }
  return { own, all: [...all.values()] };
}

/** How many steps down from what depends on a target its causes are followed. */
const maxSteps = 3;
/** Kinds of extensions that run pods of their own. */
const ofExtensions: ReadonlySet<string> = new Set(["CatalogSource", "ClusterServiceVersion"]);

/** Pods that use an account, a ConfigMap or a claim. */
function findUsers(target: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const { kind, metadata } = target;
  if (kind !== "ServiceAccount" && kind !== "ConfigMap" && kind !== "PersistentVolumeClaim")
    return [];
  return view
    .list("Pod")
    .filter(
      (pod) =>
        pod.metadata.namespace === metadata.namespace &&
        podReferences(pod.spec, "spec").some(
          (one) => one.kind === kind && one.name === metadata.name,
        ),
    );
}

const isRepresented = ({ represents = false }: Named["row"]) => represents;

/** What a target that is not a workload represents. */
function findRepresented(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const { namespace, name } = object.metadata;
  switch (object.kind) {
    case "Service":
      // A workload without pods is why there are none.
      return [
        ...view.behind(object),
        ...workloadsWith(recordAt(object, "spec", "selector"), namespace, view),
      ];
    case "Ingress": {
      const secrets = listAt(object, "spec", "tls").map((one) => textAt(one, "secretName"));
      return [
        ...findNamed(object, view, isRepresented),
        ...view
          .list("Certificate")
          .filter(
            (one) =>
              one.metadata.namespace === namespace &&
              secrets.includes(textAt(one, "spec", "secretName") ?? "\0"),
          ),
      ];
    }
    case "PodDisruptionBudget":
      return view.podsMatching(namespace, recordAt(object, "spec", "selector"));
    case "Deployment":
    case "StatefulSet":
    case "DaemonSet":
      // A workload without its own pods has none; those of the same name are not its own.
      return [view.get("Service", namespace, name) ?? []].flat();
    default:
      return findNamed(object, view, isRepresented);
  }
}

/** What an object waits for. */
function findPrerequisites(
  object: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  const { namespace } = object.metadata;
  const linked = findNamed(object, view, (row) => !isRepresented(row));
  if (object.kind === "Service") {
    const isMeant = (host: unknown) =>
      typeof host === "string" && host.split(".")[0] === object.metadata.name;
    return [
      ...view.list("DestinationRule").filter((one) => isMeant(textAt(one, "spec", "host"))),
      ...view.list("VirtualService").filter(
        (one) =>
          one.metadata.namespace === namespace &&
          (listAt(one, "spec", "hosts").some(isMeant) ||
            listAt(one, "spec", "http")
              .flatMap((route) => listAt(route, "route"))
              .some((route) => isMeant(textAt(route, "destination", "host")))),
      ),
      ...meshPoliciesFor(object, view),
    ];
  }
  if (object.kind === "Certificate" || object.kind === "CertificateRequest") {
    const hosts = listAt(object, "spec", "dnsNames");
    const steps = (["CertificateRequest", "Order", "Challenge"] as const)
      .flatMap((step) => view.list(step))
      .filter(
        (one) =>
          one !== object &&
          one.metadata.namespace === namespace &&
          (one.metadata.annotations?.["cert-manager.io/certificate-name"] ===
            object.metadata.name ||
            [textAt(one, "spec", "dnsName"), ...listAt(one, "spec", "dnsNames")].some((host) =>
              hosts.includes(host),
            )),
      );
    return [...linked, ...steps];
  }
  if (object.kind === "Subscription") {
    const ours = ({ metadata }: KubernetesObject) => metadata.namespace === namespace;
    return [
      ...linked,
      ...view.list("InstallPlan").filter((plan) => ours(plan) && isInstallPlanFor(plan, object)),
    ];
  }
  if (object.kind !== "Pod")
    return [
      ...linked,
      ...findNamed(object, view, isRepresented),
      ...namedBy(object, view),
      ...managedBy(object, view),
    ];
  // What has done its work does not depend on its node any more.
  const isDone = textAt(object, "status", "phase") === "Succeeded";
  const labels = object.metadata.labels ?? {};
  return [
    ...linked.filter(({ kind }) => !isDone || kind !== "Node"),
    ...view
      .list("NetworkPolicy")
      .filter(
        (one) =>
          one.metadata.namespace === namespace &&
          matchesSelector(
            { matchLabels: recordAt(one, "spec", "podSelector", "matchLabels") },
            labels,
          ),
      ),
    ...makersFor(object, view),
  ].flat();
}
