import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { isRecord, listAt, textAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Finding } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { findPodSpec } from "../pod-spec.js";
import { findTopOwner } from "../top-of.js";

/** What would have to change, as a command for a person: it is printed and never run. */
export interface Change {
  /** What is wrong in the spec: `spec.selector asks for track=blue, and the pods of web have track=green`. */
  readonly what: string;
  readonly command: string;
  /** How it is taken back; undefined where it cannot be. */
  readonly undo: string | undefined;
}

/** The change for a finding, where the spec of an object shows one. */
export type Propose = (one: Finding, view: ClusterView) => Change | undefined;

/** Names of fields and indexes of lists, from an object down. */
export type Path = readonly (string | number)[];

/** All that was read of a finding, for patterns. */
export function textOf(one: Finding): string {
  return [one.message ?? "", one.summary, ...one.evidence.map(({ text }) => text)].join("\n");
}

/** A patch of an object and the one that takes it back. */
export function patch(
  object: KubernetesObject,
  what: string,
  change: object,
  back: object,
): Change | undefined {
  const command = patchCommand(object, change);
  return command === undefined ? undefined : { what, command, undo: patchCommand(object, back) };
}

export function patchCommand(
  { kind, metadata }: KubernetesObject,
  change: object,
): string | undefined {
  const type = Array.isArray(change) ? "json" : "merge";
  return kubectl`patch ${kind.toLowerCase()} ${metadata.name}${option("-n", metadata.namespace)} --type=${type} -p ${JSON.stringify(change)}`[0];
}

/** The path of the pod spec of an object that runs pods by a template. */
export function templatePath({ kind }: KubernetesObject): Path | undefined {
  if (kind === "CronJob") return ["spec", "jobTemplate", "spec", "template", "spec"];
  return /^(?:Deployment|StatefulSet|DaemonSet)$/.test(kind)
    ? ["spec", "template", "spec"]
    : undefined;
}

/**
 * A field of an object set to another value, or removed (`null`): as a merge patch, or as a JSON patch where the path leads
 * through a list.
 */
export function setField(
  object: KubernetesObject,
  path: Path,
  what: string,
  value: unknown,
): Change | undefined {
  const before = valueAt(object, ...path);
  // A merge patch would keep the members of a record that the new one has not.
  const isWhole = isRecord(value) && before !== undefined;
  if (!isWhole && path.every((step) => typeof step === "string")) {
    const at = (inner: unknown): object =>
      path.reduceRight<unknown>((part, key) => ({ [key]: part }), inner) as object; // the path is not empty
    return patch(object, what, at(value), at(before ?? null));
  }
  // What has no parent yet is added with it.
  const missing = path.findIndex(
    (_, index) => valueAt(object, ...path.slice(0, index + 1)) === undefined,
  );
  const end = missing < 0 ? path.length : missing + 1;
  const pointer = `/${path
    .slice(0, end)
    .map((step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1"))
    .join("/")}`;
  const whole = path.slice(end).reduceRight<unknown>((part, key) => ({ [key]: part }), value);
  const add = (one: unknown) => [{ op: "add", path: pointer, value: one }];
  const replace = (one: unknown) => [{ op: "replace", path: pointer, value: one }];
  const remove = [{ op: "remove", path: pointer }];
  if (value === null) return patch(object, what, remove, add(before));
  return before === undefined
    ? patch(object, what, add(whole), remove)
    : patch(object, what, replace(value), replace(before));
}

/** The container that a finding is about, in the template of its workload. */
export function findTemplateContainer(one: Finding, view: ClusterView) {
  const top = findTopOwner(one.object, view);
  const name = typeof one.values.container === "string" ? one.values.container : undefined;
  const root = templatePath(top);
  for (const list of ["containers", "initContainers"]) {
    const containers = listAt(findPodSpec(top), list);
    const index = containers.findIndex(
      (each) => name === undefined || textAt(each, "name") === name,
    );
    if (index >= 0 && root !== undefined)
      return { top, path: [...root, list, index], spec: containers[index] };
  }
  return undefined;
}
