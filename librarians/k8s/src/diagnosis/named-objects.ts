import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt, textAt } from "../cluster/fields.js";
import { isOfExtension } from "./actors.js";
import { type ClusterView, oncePerView } from "./cluster-view.js";
import { listConditions } from "./conditions.js";
import { listNamedThings } from "./custom-references.js";

/** Kinds that run pods. */
const workloads: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);
/** Maximum number of words of what an object reports that are looked up. */
const maxWords = 200;
/** Letters of a word for a kind that tell it: `pool` in "addressPool". */
const minWord = 4;

/**
 * Objects that an object of an extension names, whatever its kind: in the references of its spec, and in what its status and
 * its warnings report. A name alone is not enough: its field or the text must have a word for the kind.
 */
export function namedBy(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const inSpec = isOfExtension(object)
    ? listNamedThings(object.spec).flatMap(({ kind, word, namespace, name }) =>
        view
          .named(name)
          .filter(
            (one) =>
              (kind === "" ? isCalled(one.kind, word) : one.kind === kind) &&
              isWithin(one, namespace ?? object.metadata.namespace),
          ),
      )
    : [];
  return [...new Set([...inSpec, ...namedInReports(object, view)])].filter((one) => one !== object);
}

/** Objects of extensions whose spec names an object with its kind: what scales it, watches it, or keeps it. */
export function namersOf(
  { kind, metadata }: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  return (indexNamers(view).get(`${kind} ${metadata.name}`) ?? []).filter(
    (one) => one.metadata.namespace === metadata.namespace,
  );
}

const indexNamers = oncePerView((view) => {
  const index = new Map<string, KubernetesObject[]>();
  for (const object of view.list("CustomResource"))
    for (const { kind, name } of listNamedThings(object.spec)) {
      const key = `${kind} ${name}`;
      index.set(key, [...(index.get(key) ?? []), object]);
    }
  return index;
});

/** Leases that the pods of a workload hold to elect one of them, by their names. */
export function leasesOf(
  { kind, metadata }: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  if (!workloads.has(kind)) return [];
  return view
    .list("Lease")
    .filter(
      (one) =>
        one.metadata.namespace === metadata.namespace &&
        one.metadata.name.startsWith(metadata.name),
    );
}

/** Objects that the status and the warnings of an object speak of. */
function namedInReports(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const status = Object.values(recordAt(object, "status")).flatMap((value) =>
    Array.isArray(value) ? value : [value],
  );
  const texts = [
    ...(isOfExtension(object) ? status.filter((text) => typeof text === "string") : []),
    ...(isOfExtension(object) ? listConditions(object).map(({ message }) => message) : []),
    ...view.events(object).flatMap(({ type, message }) => (type === "Warning" ? [message] : [])),
  ];
  return texts.flatMap((text) => {
    const joined = text.toLowerCase().replace(/[\s-]/g, "");
    const words = text.split(/[^A-Za-z0-9./-]+/).slice(0, maxWords);
    return words.flatMap((word) => {
      const [name = "", place = ""] = word
        .replace(/[./-]{1,3}$/, "")
        .split("/")
        .reverse();
      // `web/front` has the namespace before the name, `ingress/front` the kind.
      return view.named(name).filter((one) => {
        const kind = one.kind.toLowerCase();
        const isKind = place === "" || place.toLowerCase() === kind;
        return isWithin(one, isKind ? object.metadata.namespace : place) && joined.includes(kind);
      });
    });
  });
}

/** True for a kind whose name ends in a word: a `BackupStorageLocation` is a storage location. */
function isCalled(kind: string, word: string): boolean {
  return word.length >= minWord && kind.toLowerCase().endsWith(word);
}

function isWithin({ metadata }: KubernetesObject, namespace: string | undefined): boolean {
  return (
    metadata.namespace === undefined || namespace === undefined || metadata.namespace === namespace
  );
}

/**
 * Objects of extensions that keep an object in step with a source, by the labels which they put on it,
 * such as `kustomize.toolkit.fluxcd.io/name` and `/namespace`; without such labels, those for its whole namespace.
 */
export function keptBy(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const labels = object.metadata.labels ?? {};
  const labelled = Object.entries(labels).flatMap(([key, name]) => {
    const group = key.endsWith("/name") ? key.slice(0, -"/name".length) : "";
    const place = labels[`${group}/namespace`];
    return place === undefined
      ? []
      : view
          .named(name)
          .filter(
            (one) => one.metadata.namespace === place && one.apiVersion.startsWith(`${group}/`),
          );
  });
  return labelled.length > 0 || !workloads.has(object.kind)
    ? labelled
    : keepers
        .flatMap((kind) => view.list(kind))
        .filter(
          ({ spec }) =>
            (textAt(spec, "targetNamespace") ?? textAt(spec, "destination", "namespace")) ===
            object.metadata.namespace,
        );
}

/** Kinds whose objects keep a whole namespace in step with a source. */
const keepers = ["Kustomization", "HelmRelease", "Application"] as const;

/** Letters of a part of an API group that tell whose it is. */
const minGroup = 4;

/** Objects of extensions that a workload acts for, by the API group that has its name: `velero.io` and Deployment velero. */
export function managedBy(
  workload: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  if (!workloads.has(workload.kind)) return [];
  const { name } = workload.metadata;
  return view
    .list("CustomResource")
    .filter(({ apiVersion }) =>
      (apiVersion.split("/")[0] ?? "")
        .split(".")
        .some((part) => part.length >= minGroup && (name === part || name.startsWith(`${part}-`))),
    );
}
