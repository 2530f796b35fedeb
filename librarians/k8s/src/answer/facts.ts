import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { proposeChange } from "../diagnosis/change.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { toComponentName, toQualifiedName } from "../diagnosis/object-id.js";
import { listClaims, podReferences } from "../diagnosis/pod-references.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { quote } from "../diagnosis/quote.js";
import { detectLabels } from "./detected-labels.js";
import { namedBy } from "./named.js";

/** One entry of `metadata.facts`: what was observed, by ADR-041's names. */
export type Fact = Readonly<Record<string, unknown>> & { readonly signal_type: string };

/** Maximum number of entries with everything; the others have what names them, and what was seen when. */
const maxFull = 20;

/**
 * Findings as facts, in the order given; what follows from a finding is after it. Values were read
 * from the cluster or say that something is absent: no causes, no advice, no confidence.
 */
export function toFacts(findings: readonly Finding[], view: ClusterView): readonly Fact[] {
  const causes = new Map<Finding, Finding>();
  const note = (one: Finding) => {
    for (const symptom of one.symptoms) {
      causes.set(symptom, one);
      note(symptom);
    }
  };
  for (const one of findings) note(one);
  return distinct(findings.flatMap(withAllSymptoms))
    .map((one) => toFact(one, view, causes.get(one)))
    .map((fact, index) => (index < maxFull ? fact : shortened(fact)));
}

/** A fact without its evidence and labels, so that a cluster with a hundred of them still fits in an answer. */
function shortened({
  evidence: _,
  detected_labels: __,
  node_conditions: ___,
  ...fact
}: Fact): Fact {
  return { ...fact, signal_type: fact.signal_type };
}

function toFact(one: Finding, view: ClusterView, cause: Finding | undefined): Fact {
  const { object, others, evidence, values } = one;
  const times = view
    .events(object)
    .flatMap(({ firstSeen, lastSeen }) => [firstSeen ?? lastSeen, lastSeen])
    .filter((at) => at !== undefined);
  const at = [...times, ...evidence.flatMap((item) => item.at ?? [])];
  const count =
    evidence.filter(({ kind }) => kind === "event").length === 0
      ? undefined
      : eventCount(one, view);
  const owner = topOwner(object, view);
  return withoutGaps({
    signal_type: one.signal,
    severity: one.severity,
    ...resourceFacts(object),
    owner: owner === undefined ? undefined : toQualifiedName(owner),
    owner_reference: owner === undefined ? printOwnerReference(object) : undefined,
    other_resources: others.length === 0 ? undefined : others.slice(0, 20).map(toQualifiedName),
    finding: quote(one.summary),
    error_message: one.message === undefined ? undefined : quote(one.message),
    ...usedBy(object),
    ...withoutGaps(namedBy(one, view)),
    ...withoutGaps(cleaned(values)),
    last_event: lastEvent(object, view),
    event_count: count,
    first_seen: at.length === 0 ? undefined : new Date(Math.min(...at)).toISOString(),
    last_seen: at.length === 0 ? undefined : new Date(Math.max(...at)).toISOString(),
    is_current: one.current ? undefined : false,
    change: proposeChange(one, view),
    recurrence: one.standing?.kind === "recurring" ? one.standing.why : undefined,
    node_conditions: values.node_conditions ?? nodeConditions(object, view),
    detected_labels: detectLabels(object, view),
    caused_by:
      cause === undefined
        ? undefined
        : { signal_type: cause.signal, target_resource: toQualifiedName(cause.object) },
    evidence: evidence.slice(0, 8).map(({ id, text, at: moment }) => ({
      source: id,
      text,
      ...(moment !== undefined && { at: new Date(moment).toISOString() }),
    })),
  }) as Fact; // signal_type is always there
}

/** What the pods of an object use, as far as its spec names it, and their container where they have one. */
function usedBy(object: KubernetesObject): Readonly<Record<string, unknown>> {
  const spec = findPodSpec(object);
  const containers = listAt(spec, "containers");
  const named = podReferences(spec, "", true).filter(({ kind }) => kind === "ConfigMap");
  const maps = [...new Set(named.map(({ name }) => name))];
  const claims = listClaims({ spec });
  return {
    container: containers.length === 1 ? textAt(containers[0], "name") : undefined,
    claims: claims.length === 0 ? undefined : claims,
    config_maps: maps.length === 0 ? undefined : maps,
  };
}

/** What names a resource in facts. */
export function resourceFacts(object: KubernetesObject): Readonly<Record<string, unknown>> {
  return withoutGaps({
    target_resource: toQualifiedName(object),
    component: toComponentName(object.kind),
    namespace: object.metadata.namespace,
    resource_kind: object.kind,
    resource_name: object.metadata.name,
  });
}

/** The one entry of a cluster, or a part of it, in which nothing is wrong. */
export function healthyFact(
  objects: readonly KubernetesObject[],
  view: ClusterView,
  read: readonly string[],
): Fact {
  const [first] = objects;
  const owner = first === undefined ? undefined : topOwner(first, view);
  return withoutGaps({
    signal_type: "Healthy",
    ...(first === undefined ? {} : resourceFacts(first)),
    owner: owner === undefined ? undefined : toQualifiedName(owner),
    phase: first === undefined ? undefined : textAt(first, "status", "phase"),
    other_resources: objects.length > 1 ? objects.slice(1, 20).map(toQualifiedName) : undefined,
    detected_labels: first === undefined ? undefined : detectLabels(first, view),
    kinds_read: read,
  }) as Fact; // signal_type is always there
}

function topOwner(object: KubernetesObject, view: ClusterView): KubernetesObject | undefined {
  let top: KubernetesObject | undefined;
  for (
    let owner = view.owner(object), depth = 0;
    owner !== undefined && depth < 5;
    owner = view.owner(owner), depth++
  )
    top = owner;
  return top;
}

function printOwnerReference(object: KubernetesObject): string | undefined {
  const kind = textAt(object, "metadata", "ownerReferences", 0, "kind");
  const name = textAt(object, "metadata", "ownerReferences", 0, "name");
  return kind === undefined || name === undefined ? undefined : `${kind}/${name}`;
}

function lastEvent(object: KubernetesObject, view: ClusterView): string | undefined {
  const [event] = view.events(object);
  return event === undefined ? undefined : quote(`${event.reason}: ${event.message}`);
}

function eventCount({ object, evidence }: Finding, view: ClusterView): number | undefined {
  const shown = evidence.find(({ kind }) => kind === "event")?.id;
  return view.events(object).find(({ name }) => shown?.endsWith(`/${name}`) === true)?.count;
}

function nodeConditions(
  object: KubernetesObject,
  view: ClusterView,
): readonly string[] | undefined {
  const name = textAt(object, "spec", "nodeName");
  const node = name === undefined ? undefined : view.get("Node", undefined, name);
  const conditions =
    node === undefined
      ? undefined
      : (node.status as { conditions?: unknown } | undefined)?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return conditions.map((one) => `${textAt(one, "type") ?? "?"}=${textAt(one, "status") ?? "?"}`);
}

function cleaned(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const clean = (value: unknown): unknown =>
    typeof value === "string" ? quote(value) : Array.isArray(value) ? value.map(clean) : value;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, clean(value)]));
}

function withoutGaps(values: Record<string, unknown>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ""),
  );
}

/** The same symptom may be under two causes; of one signal of an object the likeliest cause stands. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>();
  for (const one of findings) {
    const key = `${one.signal} ${toQualifiedName(one.object)}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}
