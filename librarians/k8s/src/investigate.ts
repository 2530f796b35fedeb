import type { ClusterReader, KubernetesObject } from "./cluster/cluster-reader.js";
import { isKindName, type KindName, kindOf } from "./cluster/kinds.js";
import { type ClusterView, createView } from "./diagnosis/cluster-view.js";
import type { Interest } from "./diagnosis/detector.js";
import { diagnose, grouped } from "./diagnosis/diagnose.js";
import { familyOf, withBudgets } from "./diagnosis/family.js";
import type { Finding } from "./diagnosis/finding.js";
import { idOf } from "./diagnosis/object-id.js";
import { asks, isOfKind, ranked, touches } from "./diagnosis/rank.js";
import {
  namesOf,
  namespaceOf,
  namespacesIn,
  onlyIn,
  requireNamespace,
  withoutName,
} from "./question/namespace.js";
import type { Question } from "./question/question.js";
import { resolveTarget, type Target } from "./question/resolve.js";
import { gather } from "./reading/gather.js";
import { everything, kindsFor } from "./reading/plan.js";
import { logErrors, withLogs } from "./reading/with-logs.js";

/** Things with one name that are compared. */
const mostCompared = 20;

/** Findings whose logs are read. */
const logged = 3;

/** What came of looking. */
export interface Investigation {
  readonly view: ClusterView;
  readonly target: Target;
  /** What the question is about, for people. */
  readonly subject: string;
  /** Objects it names, or nothing. */
  readonly objects: readonly KubernetesObject[];
  /** In order, the likeliest cause first. */
  readonly findings: readonly Finding[];
  /** Findings left out because the question asks for something else. */
  readonly aside: number;
  readonly logProblems: readonly string[];
  readonly namespace: string | undefined;
  readonly kindsRead: readonly KindName[];
  readonly withoutEvents: boolean;
  /** Things of the same name in which nothing is wrong: not what the question means. */
  readonly notMeant: readonly KubernetesObject[];
}

/** Reads what a question needs, finds what it names, and diagnoses it. */
export async function investigate(
  question: Question,
  reader: ClusterReader,
  { signal, withUsage }: { readonly signal: AbortSignal; readonly withUsage: boolean },
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
  let kinds = kindsFor(asked);
  const isDrain = asked.includes("Node") && question.signals.has("PDBBlocking");
  if (isDrain) kinds = [...new Set([...kinds, "Pod" as const, "PodDisruptionBudget" as const])];
  let reading = await gather(reader, { ...options, kinds, before });
  if (namespace === undefined && namespaces.items.length === 0) {
    // Where namespaces cannot be listed, those of the objects are known.
    namespace = namespaceOf(question, namespacesIn(reading));
    if (namespace !== undefined) reading = onlyIn(reading, namespace);
  }
  let view = createView(reading);
  const named = withoutName(question, namespace);
  let target = resolveTarget(named, view);
  if (target.kind === "unknown" && asked.length > 0) {
    // "The checkout service" may be a deployment: look at the kinds that were not read yet.
    kinds = [...new Set([...kinds, ...everything])];
    const more = await gather(reader, { ...options, kinds, before: reading.objects });
    reading = { ...more, problems: new Map([...reading.problems, ...more.problems]) };
    view = createView(reading);
    target = resolveTarget(named, view);
  }
  requireNamespace(namespace, namespaces, reading);
  const interest = { signals: question.signals, history: question.history };
  const sameName = target.kind === "ambiguous" ? target.candidates : [];
  const meant = question.isAboutFailure ? onlyFailing(sameName, view, interest) : undefined;
  const notMeant = meant === undefined ? [] : sameName.filter((one) => one !== meant);
  if (meant !== undefined) target = { kind: "objects", objects: [meant], guessed: true };
  const base = {
    notMeant,
    view,
    target,
    namespace,
    kindsRead: kinds,
    withoutEvents: reading.events.length === 0,
  };
  if (target.kind === "ambiguous" || target.kind === "unknown") {
    return { ...base, subject: target.name, objects: [], findings: [], aside: 0, logProblems: [] };
  }
  const objects = target.kind === "objects" ? target.objects : [];
  const family = isDrain ? withBudgets(familyOf(objects, view), view) : familyOf(objects, view);
  const scope = target.kind === "objects" ? family.all : allOf(view, kinds, namespace);
  const all = diagnose(scope, view, interest);
  const rankOptions = {
    interest,
    targets: family.own,
    named: new Set(objects.map(idOf)),
    kinds: asked,
  };
  const relevant = chosen(ranked(all.filter(within(question, reading.now)), rankOptions), {
    ...rankOptions,
    isWide: target.kind === "all",
    isStrict: asksWhich(question.query),
  });
  const read = await withLogs(relevant.slice(0, logged), reader, signal);
  let findings: readonly Finding[] = [...grouped(read.findings), ...relevant.slice(logged)];
  if (target.kind === "objects" && !findings.some(({ current, verified }) => current && verified)) {
    const pods = family.all.filter(
      ({ kind, metadata }) =>
        kind === "Pod" && family.own.has(idOf({ kind, metadata, apiVersion: "v1" })),
    );
    const more = await logErrors(pods, view, reader, signal);
    findings = [...grouped(more.findings), ...findings];
  }
  findings = ranked(findings, rankOptions);
  return {
    ...base,
    subject:
      target.kind === "objects"
        ? objects.slice(0, 3).map(idOf).join(", ")
        : wideSubject(namespace, asked),
    objects,
    findings,
    aside: Math.max(
      0,
      all.filter(({ current }) => current).length -
        relevant.filter(({ current }) => current).length,
    ),
    logProblems: read.problems,
  };
}

/** Of several things with one name the one that fails, when no other does. */
function onlyFailing(
  candidates: readonly KubernetesObject[],
  view: ClusterView,
  interest: Interest,
): KubernetesObject | undefined {
  if (candidates.length > mostCompared) return undefined;
  const failing = candidates.filter((candidate) => {
    const { all, own } = familyOf([candidate], view);
    return diagnose(all, view, interest).some(
      (one) => one.current && one.verified && touches(one, own),
    );
  });
  return failing.length === 1 ? failing[0] : undefined;
}

/** True for a question after a list: what is not on it is no answer. */
function asksWhich(query: string): boolean {
  return /^\s*(?:which|list|show|are (?:there|any)|is any|do any|does any)\b/i.test(query);
}

/** What bears on the question. For a named thing: what is on it, and what it waits for. */
function chosen(
  findings: readonly Finding[],
  {
    isWide,
    isStrict,
    targets,
    kinds,
    interest,
  }: Parameters<typeof ranked>[1] & { readonly isWide: boolean; readonly isStrict: boolean },
): readonly Finding[] {
  if (!isWide) {
    const own = findings.filter((one) => touches(one, targets));
    return own;
  }
  const current = findings.filter((one) => one.current || interest.history);
  const ofKind = kinds.length === 0 ? current : current.filter((one) => isOfKind(one, kinds));
  const about = ofKind.filter((one) => asks(one, { interest }));
  if (about.length > 0 || (isStrict && interest.signals.size > 0)) return about;
  const sure = ofKind.filter(({ verified }) => verified);
  return sure.length > 0
    ? sure
    : ofKind.filter(({ signal }) => signal !== "MissingReference" || kinds.length > 0);
}

function within({ withinMs }: Question, now: number): (one: Finding) => boolean {
  return ({ evidence, current }) => {
    if (withinMs === undefined || current) return true;
    const newest = Math.max(...evidence.flatMap(({ at }) => at ?? []));
    return !Number.isFinite(newest) || now - newest <= withinMs;
  };
}

function allOf(
  view: ClusterView,
  kinds: readonly KindName[],
  namespace: string | undefined,
): readonly KubernetesObject[] {
  return kinds.flatMap((kind) =>
    namespace !== undefined &&
    !kindOf(kind).namespaced &&
    kind !== "Node" &&
    kind !== "PersistentVolume"
      ? []
      : view.list(kind),
  );
}

function wideSubject(namespace: string | undefined, kinds: readonly KindName[]): string {
  const what =
    kinds.length === 0
      ? ""
      : `${[...new Set(kinds)].map((kind) => kindOf(kind).plural).join(" and ")} in `;
  return `${what}${namespace === undefined ? "the cluster" : `namespace ${namespace}`}`;
}
