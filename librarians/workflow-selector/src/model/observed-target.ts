import type { Gathered } from "../incident/gather.js";
import type { Incident, IncidentResource } from "../incident/incident.js";
import { readResourcePath } from "../incident/resource-path.js";

/** Where facts name objects. */
const pathKeys = [
  "target_resource",
  "owner",
  "owner_reference",
  "other_resources",
  "affected_resources",
  "references",
] as const;
const maxFacts = 100;
/** Kinds whose pods have their name before their own. */
const owners = /^(?:deployment|statefulset|daemonset|replicaset|job|cronjob)$/;

/**
 * The object that a model wants to repair, if it is one that was observed: the incident's own, what it
 * belongs to, or another that the facts name. Its kind is spelled as the model spells it.
 */
export function observedTarget(
  wanted: IncidentResource,
  { incident, records }: Gathered,
): IncidentResource | undefined {
  const { resource, owner } = incident;
  const known = [resource, owner, ...namedIn(records)].find(
    (one) => one !== undefined && isSame(one, wanted),
  );
  const found =
    known ?? (isNamedByPod(resource, wanted) ? { namespace: resource?.namespace } : undefined);
  if (found === undefined) return undefined;
  return {
    kind: wanted.kind,
    name: wanted.name,
    namespace: found.namespace ?? wanted.namespace,
    apiVersion: known?.apiVersion,
  };
}

/**
 * What a workflow is to change: what the model wants repaired, but where that is the incident's own object, of a kind
 * that the workflow is not made for, what it belongs to. A model often names the pod of the prompt.
 *
 * @param own - The object of the incident's that the workflow is made for, if it has one.
 */
export function targetFor(
  found: IncidentResource | undefined,
  own: IncidentResource | undefined,
  { resource }: Incident,
): IncidentResource | undefined {
  if (found === undefined || own === undefined) return found ?? own;
  const isGiven = resource !== undefined && isSame(resource, found);
  return isGiven && normaliseKind(own) !== normaliseKind(found) ? own : found; // the kind stays as the model spells it
}

function namedIn(records: readonly unknown[]): readonly IncidentResource[] {
  return records.slice(0, maxFacts).flatMap((record) => {
    if (typeof record !== "object" || record === null) return [];
    const fields = record as Readonly<Record<string, unknown>>; // an object, as checked
    return pathKeys
      .flatMap((key): readonly unknown[] => {
        const value = fields[key];
        return Array.isArray(value) ? value.slice(0, maxFacts) : [value];
      })
      .flatMap((path) => (typeof path === "string" ? (readResourcePath(path) ?? []) : []));
  });
}

function isSame(one: IncidentResource, other: IncidentResource): boolean {
  const isHere =
    one.namespace === undefined ||
    other.namespace === undefined ||
    one.namespace === other.namespace;
  return isHere && one.name === other.name && normaliseKind(one) === normaliseKind(other);
}

/** `Deployment/shop` by the pod `shop-5d9-x`. */
function isNamedByPod(pod: IncidentResource | undefined, wanted: IncidentResource): boolean {
  if (pod === undefined || normaliseKind(pod) !== "pod" || !owners.test(normaliseKind(wanted)))
    return false;
  const isHere = wanted.namespace === undefined || wanted.namespace === pod.namespace;
  return isHere && pod.name?.startsWith(`${wanted.name ?? ""}-`) === true;
}

function normaliseKind({ kind = "" }: IncidentResource): string {
  return kind.split("/").at(-1)?.toLowerCase() ?? "";
}
