import type { KubernetesObject } from "./cluster/cluster-reader.js";
import { listAt, textAt } from "./cluster/fields.js";
import { kindIs } from "./cluster/kind-traits.js";
import { getKind, type KindName } from "./cluster/kinds.js";
import type { ClusterView } from "./diagnosis/cluster-view.js";
import type { Interest } from "./diagnosis/detector.js";
import { diagnose } from "./diagnosis/diagnose.js";
import { type Family, findFamily } from "./diagnosis/family.js";
import type { Finding } from "./diagnosis/finding.js";
import { toObjectId } from "./diagnosis/object-id.js";
import { asks, concernsAny, isOfKind, type RankOptions } from "./diagnosis/rank.js";
import { hasTrait } from "./diagnosis/signal-type.js";
import { polarIn } from "./question/polar.js";

/** Maximum number of things of one name that are compared. */
const maxCompared = 20;

/** Of several objects with one name the one that fails, if it is the only one. */
export function onlyFailing(
  candidates: readonly KubernetesObject[],
  view: ClusterView,
  interest: Interest,
): KubernetesObject | undefined {
  if (candidates.length > maxCompared) return undefined;
  const failing = candidates.filter((candidate) => {
    const { all, own } = findFamily([candidate], view);
    return diagnose(all, view, interest).some(
      (one) => one.current && one.verified && concernsAny(one, own),
    );
  });
  return failing.length === 1 ? failing[0] : undefined;
}

/** True for a question that asks for a list: objects that are not on it are not an answer. */
export function asksWhich(query: string): boolean {
  return /^\s*(?:which|list|show|are (?:there|any\w*)|is (?:there )?any\w*|(?:do|does|did|has|have) any\w*)\b/i.test(
    query,
  );
}

/** True for a question about anything that is wrong: "which volumes are unhealthy?" */
export function asksAnyTrouble(query: string): boolean {
  return /\b(?:unhealthy|not healthy|wrong|broken|bad|fail(?:s|ed|ing|ure|ures)?|problems?|issues?|trouble|troubled|degraded|not ok|not working|affected|faulty|attention)\b/i.test(
    query,
  );
}

/** How findings are chosen, beside how they are ranked. */
export interface ChoiceOptions extends RankOptions {
  /** True for a question that names nothing. */
  readonly isWide: boolean;
  /** True for a question about a list. */
  readonly isStrict: boolean;
  /** True for a question about anything that is wrong, and not about one state. */
  readonly isAnyTrouble: boolean;
}

/** Selects the relevant findings. For a named object: those on it, and those on what it waits for. */
export function chosen(
  findings: readonly Finding[],
  { isWide, isStrict, isAnyTrouble, targets, kinds, interest }: ChoiceOptions,
): readonly Finding[] {
  if (!isWide) return findings.filter((one) => concernsAny(one, targets));
  const current = findings.filter((one) => one.current || interest.history);
  const ofKind = kinds.length === 0 ? current : current.filter((one) => isOfKind(one, kinds));
  const asked = ofKind.filter((one) => asks(one, { interest }));
  // A dangling name does not prove the state that the question asks about.
  const about = asked.filter(({ verified }) => verified || !isStrict || kinds.length > 0);
  // "Which volumes are unhealthy?" names a kind, and no state of its own.
  const isOfKindOnly = isAnyTrouble && kinds.length > 0;
  if (about.length > 0 || (isStrict && interest.signals.size > 0 && !isOfKindOnly)) return about;
  // What may be wrong stands on a board too, below what is, and says how sure it is.
  const sure = ofKind.filter(
    ({ verified, signal, isFaint }) =>
      verified || (signal !== "MissingReference" && isFaint !== true),
  );
  return sure.length > 0
    ? sure
    : ofKind.filter(({ signal }) => signal !== "MissingReference" || kinds.length > 0);
}

/**
 * Creates a test for findings that are relevant to the question. A question that asks whether an object fails is about
 * that object alone: other failures are set aside, unless the object is passive and its failures show in its users. A
 * question that reports a failure is also about the failures around the object.
 *
 * @param objects - What the question names. Empty: everything bears on it.
 * @param own - Ids of them, and of what belongs to them.
 */
export function bearsOn(
  query: string,
  objects: readonly KubernetesObject[],
  own: ReadonlySet<string>,
): (one: Finding) => boolean {
  const isAlone =
    objects.length > 0 &&
    polarIn(query) !== undefined &&
    objects.every(({ kind }) => kindIs(kind, "showsHealth"));
  return (one) => !isAlone || concernsAny(one, own);
}

/** What is over counts only within the time a question looks back. */
export function within(
  periodMs: number | undefined,
  now: number,
): (one: Pick<Finding, "evidence" | "current">) => boolean {
  return ({ evidence, current }) => {
    if (periodMs === undefined || current) return true;
    const newest = Math.max(...evidence.flatMap(({ at }) => at ?? []));
    return !Number.isFinite(newest) || now - newest <= periodMs;
  };
}

/** For a question about a list, what happened once counts only within the time it looks back. */
export function happenedWithin(
  query: string,
  periodMs: number | undefined,
  now: number,
): (one: Pick<Finding, "evidence" | "signal">) => boolean {
  const inTime = within(periodMs, now);
  return ({ evidence, signal }) =>
    !asksWhich(query) || !hasTrait(signal, "happensOnce") || inTime({ evidence, current: false });
}

/** How long ago something ended that a question about the present leaves to history, in milliseconds. */
const longAgoMs = 86_400_000;
/** "Is it alright? It shows 14 restarts" asks how something is, and not what happened. */
const present =
  /^\s{0,9}(?:is|are)\b[^?]{1,300}\b(?:alright|all right|ok|okay|fine|healthy|well|good|stable|normal|up|down|working|broken|still)\b/i;

/** For a question about the present, what ended more than a day ago is history and not an answer. */
export function stillMatters(
  query: string,
  now: number,
): (one: Pick<Finding, "evidence" | "current">) => boolean {
  const ofToday = within(longAgoMs, now);
  const asked = query.split(/[.!?;,:]/).filter((part) => present.test(part));
  const isStill = asked.some((part) => /\bstill\b/i.test(part));
  return (one) => asked.length === 0 || (isStill ? one.current : ofToday(one));
}

/**
 * Everything of some kinds. Of a namespace, also itself, the nodes its pods run on and the volumes its
 * claims are bound to: other nodes and volumes have nothing to do with it.
 */
export function selectAll(
  view: ClusterView,
  kinds: readonly KindName[],
  namespace: string | undefined,
  asked: readonly KindName[],
): readonly KubernetesObject[] {
  if (namespace === undefined)
    return [...new Set([...kinds, "Namespace" as const])].flatMap((kind) => view.list(kind));
  const nodes = new Set(view.list("Pod").flatMap((pod) => textAt(pod, "spec", "nodeName") ?? []));
  const own = view.get("Namespace", undefined, namespace);
  return [
    ...(own === undefined ? [] : [own]),
    ...kinds.flatMap((kind) => {
      if (getKind(kind).namespaced) return view.list(kind);
      if (asked.includes(kind)) return view.list(kind);
      if (kind === "Node")
        return view.list(kind).filter(({ metadata }) => nodes.has(metadata.name));
      if (kind === "PersistentVolume")
        return view
          .list(kind)
          .filter((one) => textAt(one, "spec", "claimRef", "namespace") === namespace);
      if (kind === "ClusterIssuer" || kind === "GatewayClass") return view.list(kind);
      if (/WebhookConfiguration$/.test(kind)) {
        return view
          .list(kind)
          .filter((one) =>
            listAt(one, "webhooks").some(
              (hook) => textAt(hook, "clientConfig", "service", "namespace") === namespace,
            ),
          );
      }
      return [];
    }),
  ];
}

/** Everything in the namespaces that a question names. Undefined where it names anything else. */
export function selectInNamespaces(
  objects: readonly KubernetesObject[],
  kinds: readonly KindName[],
  view: ClusterView,
): Family | undefined {
  if (objects.length < 2 || objects.some(({ kind }) => kind !== "Namespace")) return undefined;
  const places = new Set(objects.map(({ metadata }) => metadata.name));
  const inThem = kinds.flatMap((kind) =>
    view.list(kind).filter(({ metadata }) => places.has(metadata.namespace ?? "")),
  );
  const all = [...new Set([...objects, ...inThem])];
  return { own: new Set(all.map(toObjectId)), all };
}

/** Describes the subject of a question without a name. */
export function wideSubject(namespace: string | undefined, kinds: readonly KindName[]): string {
  const what =
    kinds.length === 0
      ? ""
      : `${[...new Set(kinds)].map((kind) => getKind(kind).plural).join(" and ")} in `;
  return `${what}${namespace === undefined ? "the cluster" : `namespace ${namespace}`}`;
}

/** Pods on the named nodes, for a question that describes a failure of pods as one of their node. */
export function podsOn(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] {
  const nodes = objects.flatMap(({ kind, metadata }) => (kind === "Node" ? [metadata.name] : []));
  return nodes.length === 0
    ? []
    : view.list("Pod").filter((pod) => nodes.includes(textAt(pod, "spec", "nodeName") ?? ""));
}

/** "New pods on n1 hang" is about the pods there, where it names only nodes and speaks of pods. */
export function withPodsOn(
  objects: readonly KubernetesObject[],
  asked: readonly KindName[],
  view: ClusterView,
): readonly KubernetesObject[] {
  const areNodes = objects.length > 0 && objects.every(({ kind }) => kind === "Node");
  return areNodes && asked.includes("Pod") ? [...objects, ...podsOn(objects, view)] : objects;
}
