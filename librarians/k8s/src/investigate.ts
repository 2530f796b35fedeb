import type { ClusterReader, KubernetesObject } from "./cluster/cluster-reader.js";
import { textAt } from "./cluster/fields.js";
import { isKindName, type KindName } from "./cluster/kinds.js";
import { type ClusterReading, type ClusterView, createView } from "./diagnosis/cluster-view.js";
import type { Interest } from "./diagnosis/detector.js";
import { diagnose, grouped } from "./diagnosis/diagnose.js";
import { type Family, familyOf, withBudgets } from "./diagnosis/family.js";
import type { Finding } from "./diagnosis/finding.js";
import { idOf } from "./diagnosis/object-id.js";
import { ranked } from "./diagnosis/rank.js";
import type { SignalType } from "./diagnosis/signal-type.js";
import type { Investigation } from "./investigation.js";
import { isOpenQuestion } from "./question/claims.js";
import {
  namesOf,
  namespaceOf,
  namespacesIn,
  onlyIn,
  requireNamespace,
  withoutName,
} from "./question/namespace.js";
import { periodOf } from "./question/period.js";
import type { Question } from "./question/question.js";
import { isPlaceOnly, resolveTarget } from "./question/resolve.js";
import { follow } from "./reading/follow.js";
import { gather } from "./reading/gather.js";
import { everything, extensions, kindsFor, plannedFor, workloadKinds } from "./reading/plan.js";
import { allOf, asksWhich, chosen, onlyFailing, wideSubject, within } from "./scope.js";

/** How to investigate. */
export interface InvestigateOptions {
  readonly signal: AbortSignal;
  readonly withUsage: boolean;
  /** The namespace the question named, when what it names was found in another one. */
  readonly askedNamespace?: string | undefined;
}

/** Reads what a question needs, finds what it names, and diagnoses it. */
export async function investigate(
  question: Question,
  reader: ClusterReader,
  { signal, withUsage, askedNamespace }: InvestigateOptions,
): Promise<Investigation> {
  const namespaces = await reader.list("Namespace", { signal });
  signal.throwIfAborted();
  let namespace = namespaceOf(question, namesOf(namespaces.items));
  const mentioned = [...new Set(question.kinds.flatMap(({ kinds }) => kinds))];
  const asked =
    question.resource !== undefined && isKindName(question.resource.kind)
      ? [question.resource.kind, ...mentioned]
      : mentioned;
  const before = new Map([["Namespace", namespaces.items] as const]);
  const options = { namespace, signal, withUsage, names: question.names };
  const isDrain = question.signals.has("PDBBlocking");
  let kinds = plannedFor(question, asked);
  let reading: ClusterReading = await gather(reader, { ...options, kinds, before });
  if (namespaces.problem !== undefined)
    reading = {
      ...reading,
      problems: new Map([...reading.problems, ["Namespace", namespaces.problem]]),
    };
  if (namespace === undefined && namespaces.items.length === 0) {
    // Where namespaces cannot be listed, those of the objects are known.
    namespace = namespaceOf(question, namespacesIn(reading));
    if (namespace !== undefined) reading = onlyIn(reading, namespace);
  }
  const named = withoutName(question, namespace);
  let view = createView(reading);
  let target = resolveTarget(named, view);

  /** Reads more kinds, and looks again. */
  async function widen(more: readonly KindName[]): Promise<void> {
    kinds = [...new Set([...kinds, ...more])];
    const wider = await gather(reader, {
      ...options,
      namespace,
      kinds,
      before: reading.objects,
      events: reading.events,
    });
    reading = { ...wider, problems: new Map([...reading.problems, ...wider.problems]) };
    view = createView(reading);
    target = resolveTarget(named, view);
  }

  // "The checkout service" may be a deployment: look at the kinds that were not read yet. So may be what a
  // question names beside a place: "the crash loop of tiler on the arm node".
  const isOpen = () => target.kind === "unknown" || isPlaceOnly(target, named, view);
  if (isOpen() && asked.length > 0) await widen(everything);
  if (target.kind === "unknown" || (target.kind === "all" && named.names.length > 0))
    await widen(extensions);
  // "The certificate of shop.example.com" may be an Ingress: what that rests on is read as well.
  if (target.kind === "objects") {
    const needed = kindsFor(target.objects.map((one) => one.kind).filter(isKindName));
    if (needed.some((kind) => !kinds.includes(kind))) await widen(needed);
  }
  requireNamespace(namespace, namespaces, reading);
  if (target.kind === "unknown" && namespace !== undefined && askedNamespace === undefined) {
    // It may be in another namespace.
    const everywhere = await gather(reader, {
      ...options,
      namespace: undefined,
      kinds: asked.length > 0 ? [...new Set([...asked, ...workloadKinds])] : workloadKinds,
      events: [],
    });
    const elsewhere = resolveTarget({ ...named, namespace: undefined }, createView(everywhere));
    if (elsewhere.kind === "objects" && !elsewhere.guessed) {
      const places = new Set(elsewhere.objects.map(({ metadata }) => metadata.namespace));
      const [place] = places;
      if (places.size === 1 && place !== undefined) {
        const there = { ...named, namespace: place, resource: undefined };
        return investigate(there, reader, { signal, withUsage, askedNamespace: namespace });
      }
      target = { ...target, near: elsewhere.objects.slice(0, 3).map(idOf) };
    }
  }

  const interest: Interest = { signals: question.signals, history: question.history };
  const sameName = target.kind === "ambiguous" ? target.candidates : [];
  const meant = question.isAboutFailure ? onlyFailing(sameName, view, interest) : undefined;
  const notMeant = meant === undefined ? [] : sameName.filter((one) => one !== meant);
  if (meant !== undefined) target = { kind: "objects", objects: [meant], guessed: true };
  const periodMs = periodOf(question.query, reading.now);
  const base = () => ({
    notMeant,
    view,
    target,
    namespace,
    askedNamespace,
    kindsRead: kinds,
    kindsAsked: asked,
    interest,
    question: named,
    withLogs: false,
    withoutEvents: reading.events.length === 0,
    periodMs,
  });
  if (target.kind === "ambiguous" || target.kind === "unknown") {
    return {
      ...base(),
      subject: target.name,
      objects: [],
      scope: [],
      findings: [],
      aside: [],
      logProblems: [],
    };
  }

  const look = () => {
    const objects = target.kind === "objects" ? target.objects : [];
    const related = familyOf(objects, view);
    const family: Family = isDrain ? withBudgets(related, view) : related;
    const scope = target.kind === "objects" ? family.all : allOf(view, kinds, namespace, asked);
    const all = diagnose(scope, view, interest);
    const rankOptions = {
      interest,
      targets: family.own,
      named: new Set(objects.map(idOf)),
      // "Which namespaces have problems?" asks about all that is in them.
      kinds: [
        ...asked.filter((kind) => kind !== "Namespace"),
        ...(isDrain && asked.length > 0 ? (["PodDisruptionBudget"] as const) : []),
      ],
    };
    const order = ranked(all.filter(within(periodMs, reading.now)), rankOptions);
    const touching = chosen(order, {
      ...rankOptions,
      isWide: target.kind === "all",
      isStrict: asksWhich(question.query),
    });
    // What fails around a named thing is no less true for not being on it.
    const isMeant = target.kind === "objects" || !isOpenQuestion(question.query);
    const isSilent = isMeant && !touching.some(isSure);
    const around = order.filter((one) => isSilent && isSure(one) && !touching.includes(one));
    const relevant = [...touching, ...around];
    return { objects, family, scope, all, rankOptions, relevant, isSilent };
  };
  let looked = look();
  // Extensions may have a say where nothing is wrong in what most clusters have, and behind some failures.
  const isOpenEnded =
    !looked.relevant.some(isSure) && (target.kind === "objects" || asked.length === 0);
  if (isOpenEnded || looked.relevant.some(({ signal: type }) => leadsToExtensions.has(type))) {
    await widen(extensions);
    looked = look();
  }
  const pods = [
    ...looked.family.all.filter((one) => one.kind === "Pod" && looked.family.own.has(idOf(one))),
    ...podsOn(looked.objects, view),
  ];
  const followed = await follow(looked.relevant, {
    reading,
    reader,
    signal,
    interest,
    question: named,
    objects: looked.objects,
    // Logs of what runs are read where nothing else says why.
    pods: target.kind === "objects" && looked.isSilent ? pods : [],
  });
  ({ reading, view } = followed);
  const findings = ranked(grouped(followed.findings), looked.rankOptions);
  const { objects } = looked;
  const relevant = new Set(looked.relevant);
  return {
    ...base(),
    subject:
      target.kind === "objects"
        ? objects.slice(0, 3).map(idOf).join(", ")
        : wideSubject(namespace, asked),
    objects,
    scope: looked.scope,
    findings,
    aside: ranked(
      looked.all.filter((one) => isSure(one) && !relevant.has(one)),
      { ...looked.rankOptions, targets: new Set(), named: new Set() },
    ),
    logProblems: followed.problems,
    withLogs: followed.withLogs,
  };
}

/** Failures whose cause may be in an extension's own resources. */
const leadsToExtensions: ReadonlySet<SignalType> = new Set([
  "CertificateNotReady",
  "SubscriptionFailed",
]);

/** Pods that run on nodes that a question names: what they cannot do, it says of the node. */
function podsOn(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] {
  const nodes = objects.flatMap(({ kind, metadata }) => (kind === "Node" ? [metadata.name] : []));
  return nodes.length === 0
    ? []
    : view.list("Pod").filter((pod) => nodes.includes(textAt(pod, "spec", "nodeName") ?? ""));
}

function isSure({ current, verified }: Finding): boolean {
  return current && verified;
}
