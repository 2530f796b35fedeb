import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { isKindName } from "../cluster/kinds.js";
import { usersOf } from "./agreements.js";
import type { ClusterView } from "./cluster-view.js";
import { usersOfMade } from "./makers.js";
import { toObjectId } from "./object-id.js";
import { type Labels, matchesLabels, matchesSelector } from "./selector.js";

/** Maximum number of objects that are followed from one. */
const maxFollowed = 2_000;

/** Everything that suffers when an object fails, itself included: ids, followed step by step. */
export function findDependents(start: KubernetesObject, view: ClusterView): ReadonlySet<string> {
  const seen = new Set<string>([toObjectId(start)]);
  const queue = [start];
  for (
    let object = queue.shift();
    object !== undefined && seen.size < maxFollowed;
    object = queue.shift()
  ) {
    for (const next of stepFrom(object, view)) {
      const id = toObjectId(next);
      if (seen.has(id)) continue;
      seen.add(id);
      queue.push(next);
    }
  }
  return seen;
}

function stepFrom(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const { namespace, name } = object.metadata;
  const near = (kind: Parameters<ClusterView["list"]>[0]) =>
    view.list(kind).filter((one) => one.metadata.namespace === namespace);
  const owner = view.owner(object);
  const up = owner === undefined ? [] : [owner];
  switch (object.kind) {
    case "Pod": {
      const labels = object.metadata.labels ?? {};
      const stateful = /^(.+)-\d+$/.exec(name)?.[1];
      const set =
        owner === undefined && stateful !== undefined
          ? view.get("StatefulSet", namespace, stateful)
          : undefined;
      return [
        ...up,
        ...(set === undefined ? [] : [set]),
        ...serving(labels, near("Service")),
        ...guarding(labels, near("PodDisruptionBudget")),
      ];
    }
    case "Deployment":
    case "StatefulSet":
    case "DaemonSet":
    case "ReplicaSet": {
      const labels = recordAt(object, "spec", "template", "metadata", "labels");
      return [
        ...up,
        ...usersOf(object, view),
        ...serving(labels, near("Service")),
        ...guarding(labels, near("PodDisruptionBudget")),
      ];
    }
    case "Challenge":
    case "Order": {
      const names = [textAt(object, "spec", "dnsName"), ...listAt(object, "spec", "dnsNames")];
      const certificates = near("Certificate").filter((one) =>
        listAt(one, "spec", "dnsNames").some((host) => names.includes(String(host))),
      );
      return [...up, ...certificates];
    }
    case "InstallPlan":
      return near("Subscription").filter((one) => isInstallPlanFor(object, one));
    case "PersistentVolume": {
      const claim = view.get(
        "PersistentVolumeClaim",
        textAt(object, "spec", "claimRef", "namespace"),
        textAt(object, "spec", "claimRef", "name") ?? "",
      );
      return claim === undefined ? [] : [claim];
    }
    case "Certificate":
      return [...up, ...usersOfMade(object, view)];
    default: {
      const users = usersOf(object, view);
      const isOwn = users.length > 0 || isKindName(object.kind);
      return [...up, ...(isOwn ? users : usersOfMade(object, view))];
    }
  }
}

/** True for the install plan that a subscription waits for, by its reference or by the version it installs. */
export function isInstallPlanFor(plan: KubernetesObject, subscription: KubernetesObject): boolean {
  const named =
    textAt(subscription, "status", "installPlanRef", "name") ??
    textAt(subscription, "status", "installplan", "name");
  const version = textAt(subscription, "status", "currentCSV");
  return (
    plan.metadata.name === named ||
    (version !== undefined && listAt(plan, "spec", "clusterServiceVersionNames").includes(version))
  );
}

/** Workloads of a namespace whose pods have these labels. None for no labels. */
export function workloadsWith(
  labels: Labels,
  namespace: string | undefined,
  view: ClusterView,
): readonly KubernetesObject[] {
  return (["Deployment", "StatefulSet", "DaemonSet"] as const)
    .flatMap((kind) => view.list(kind))
    .filter(
      (one) =>
        one.metadata.namespace === namespace &&
        matchesLabels(labels, recordAt(one, "spec", "template", "metadata", "labels")),
    );
}

function serving(labels: Readonly<Record<string, unknown>>, services: readonly KubernetesObject[]) {
  return services.filter((one) => matchesLabels(recordAt(one, "spec", "selector"), labels));
}

function guarding(labels: Readonly<Record<string, unknown>>, budgets: readonly KubernetesObject[]) {
  return budgets.filter((one) => matchesSelector(recordAt(one, "spec", "selector"), labels));
}

/** What an object controls, all the way down: ids, itself left out. */
export function controlledBy(object: KubernetesObject, view: ClusterView): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (one: KubernetesObject) => {
    for (const child of view.owned(one)) {
      const id = toObjectId(child);
      if (found.has(id) || found.size >= maxFollowed) continue;
      found.add(id);
      visit(child);
    }
    if (one.kind !== "StatefulSet") return;
    // Pods of a stateful set are named after it, with a number.
    for (let index = 0; ; index++) {
      const pod = view.get("Pod", one.metadata.namespace, `${one.metadata.name}-${index}`);
      if (pod === undefined || index > maxFollowed) break;
      found.add(toObjectId(pod));
    }
  };
  visit(object);
  return found;
}
