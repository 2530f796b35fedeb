import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { type ClusterView, once } from "./cluster-view.js";
import { controlledBy, findDependents } from "./dependents.js";
import type { Interest } from "./detector.js";
import { reported, withWarnings } from "./detectors/reported.js";
import { detectorsFor } from "./detectors.js";
import { type Finding, finding } from "./finding.js";
import { namedBy } from "./named-objects.js";
import { toObjectId } from "./object-id.js";
import { explains, getCausalDepth } from "./signal-type.js";
import { withStanding } from "./standing.js";

/**
 * Checks each object for every condition of its kind, joins the same failure of siblings, and puts
 * consequences under their causes.
 *
 * @returns Findings that nothing else explains, with their symptoms. In no order.
 */
export function diagnose(
  objects: Iterable<KubernetesObject>,
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  const found: Finding[] = [];
  for (const object of objects) {
    const own: Finding[] = [];
    for (const group of detectorsFor(object)) {
      for (const detect of group) {
        const some = [detect(object, view, interest) ?? []].flat();
        own.push(...some.map((one) => finding({ object, ...one })));
        if (some.length > 0) break;
      }
    }
    // A warning that no detector knows is evidence all the same.
    if (!own.some(({ verified }) => verified))
      own.push(...reported(object, view).map((one) => finding({ object, ...one })));
    const whole = own.map((one) => (one.verified ? withWarnings(one, view) : one));
    found.push(...withStanding(whole, object, view));
  }
  return link(grouped(found), view);
}

/** Joins findings with the same key into one. */
export function grouped(findings: readonly Finding[]): readonly Finding[] {
  const groups = new Map<string, Finding[]>();
  const single: Finding[] = [];
  for (const one of findings) {
    if (one.key === undefined) single.push(one);
    else groups.set(createGroupKey(one), [...(groups.get(createGroupKey(one)) ?? []), one]);
  }
  const joined = [...groups.values()].flatMap((group) => {
    // A Deployment represents its ReplicaSets.
    const first = group.find(({ object }) => object.kind === "Deployment") ?? group[0];
    if (first === undefined) return [];
    const rest = group.filter((one) => one !== first);
    const own = toObjectId(first.object);
    const others = new Map(
      [...first.others, ...rest.flatMap(({ object, others: more }) => [object, ...more])].map(
        (object) => [toObjectId(object), object],
      ),
    );
    others.delete(own);
    const known = new Set(first.evidence.map(({ id }) => id));
    const more = rest
      .flatMap(({ evidence }) => evidence.slice(0, 1))
      .filter(({ id }) => !known.has(id));
    return [
      {
        ...first,
        others: [...others.values()],
        evidence: [...first.evidence, ...more.slice(0, 3)],
      },
    ];
  });
  return [...joined, ...single];
}

function createGroupKey({ current, standing, signal, key }: Finding): string {
  return [current, standing?.kind, signal, key].join("|");
}

/** Puts each finding under the one that explains it. What is not sure explains nothing. */
function link(findings: readonly Finding[], view: ClusterView): readonly Finding[] {
  const symptoms = new Map<Finding, Finding[]>();
  const named = new Map(
    findings.map((one) => [one, new Set(namedBy(one.object, view).map(toObjectId))] as const),
  );
  // What an object of an extension names is what it waits for, whatever is wrong there.
  const isNamedBy = (cause: Finding, other: Finding) =>
    named.get(other)?.has(toObjectId(cause.object)) === true &&
    named.get(cause)?.has(toObjectId(other.object)) !== true;
  const explainedOnes = new Set<Finding>();
  for (const cause of findings) {
    if (!cause.current || !cause.verified) continue;
    const reach = once(() => collectReach(cause, view));
    for (const other of findings) {
      if (other === cause || symptoms.get(other)?.includes(cause) === true) continue;
      if (isNamedBy(cause, other)) {
        explainedOnes.add(other);
        symptoms.set(cause, [...(symptoms.get(cause) ?? []), other]);
        continue;
      }
      if (!explains(cause.signal, other.signal)) continue;
      const touched = [
        ...[other.object, ...other.others].map(toObjectId),
        ...(other.waitsFor ?? []),
      ];
      if (!touched.some((id) => reach().has(id))) continue;
      // Each could come from the other: the deeper one is the cause.
      const isMutual =
        explains(other.signal, cause.signal) &&
        isDeeper(other, cause) &&
        collectReach(other, view).has(toObjectId(cause.object));
      if (isMutual) continue;
      explainedOnes.add(other);
      symptoms.set(cause, [...(symptoms.get(cause) ?? []), other]);
    }
  }
  const withSymptoms = (one: Finding, path: readonly Finding[] = []): Finding => ({
    ...one,
    // What a pod reports comes first: the others count what follows from it.
    symptoms: (symptoms.get(one) ?? [])
      .filter((symptom) => !path.includes(symptom))
      .sort((a, b) => Number(b.object.kind === "Pod") - Number(a.object.kind === "Pod"))
      .map((symptom) => withSymptoms(symptom, [...path, one])),
  });
  return findings.filter((one) => !explainedOnes.has(one)).map((one) => withSymptoms(one));
}

/** Kinds of which the first explain the later ones where all say the same: what is asked for last fails first. */
const chains: readonly string[] = [
  "Challenge",
  "Order",
  "ClusterIssuer",
  "Issuer",
  "CertificateRequest",
  "Certificate",
  "CatalogSource",
  "InstallPlan",
  "ClusterServiceVersion",
  "Subscription",
  "GatewayClass",
  "Gateway",
  "HTTPRoute",
];

function isDeeper(one: Finding, than: Finding): boolean {
  const depth = getCausalDepth(one.signal) - getCausalDepth(than.signal);
  const place = (finding: Finding) => chains.indexOf(finding.object.kind);
  if (depth !== 0) return depth < 0;
  return one.signal === than.signal && place(one) >= 0 && place(one) < place(than);
}

function collectReach(cause: Finding, view: ClusterView): ReadonlySet<string> {
  const reach = new Set<string>(cause.affects);
  for (const object of [cause.object, ...cause.others].slice(0, 20)) {
    for (const id of findDependents(object, view)) reach.add(id);
    for (const id of controlledBy(object, view)) reach.add(id);
  }
  for (const id of cause.affects ?? []) {
    const object = view.byId(id);
    if (object !== undefined) for (const more of findDependents(object, view)) reach.add(more);
  }
  return reach;
}

/** A finding and everything under it, each once. */
export function withAllSymptoms(one: Finding): readonly Finding[] {
  const all = [one, ...one.symptoms.flatMap(withAllSymptoms)];
  const seen = new Set<string>();
  return all.filter(({ signal, object }) => {
    const key = `${signal} ${toObjectId(object)}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
