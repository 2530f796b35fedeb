import type { ClusterReader, KubernetesObject } from "./cluster/cluster-reader.js";
import { isKindName, type KindName } from "./cluster/kinds.js";
import { type ClusterReading, type ClusterView, createView } from "./diagnosis/cluster-view.js";
import type { Interest } from "./diagnosis/detector.js";
import { diagnose, grouped } from "./diagnosis/diagnose.js";
import { type Family, familyOf, withBudgets } from "./diagnosis/family.js";
import type { Finding } from "./diagnosis/finding.js";
import { meshDenial } from "./diagnosis/mesh-policy.js";
import { idOf } from "./diagnosis/object-id.js";
import { ranked } from "./diagnosis/rank.js";
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
import { resolveTarget, type Target } from "./question/resolve.js";
import { gather } from "./reading/gather.js";
import { withCalled } from "./reading/log-causes.js";
import { everything, extensions, kindsFor, rights, workloadKinds } from "./reading/plan.js";
import { withRights } from "./reading/rights.js";
import { logErrors, withLogs } from "./reading/with-logs.js";
import { allOf, asksWhich, chosen, onlyFailing, wideSubject, within } from "./scope.js";

/** Findings whose logs are read. */
const maxLogged = 3;

/** What an investigation found. */
export interface Investigation {
  readonly view: ClusterView;
  readonly target: Target;
  /** What the question is about, for people. */
  readonly subject: string;
  /** Objects it names, or nothing. */
  readonly objects: readonly KubernetesObject[];
  /** Everything that was looked at for it. */
  readonly scope: readonly KubernetesObject[];
  /** In order, the likeliest cause first. */
  readonly findings: readonly Finding[];
  /** Current findings left out because the question asks for something else, worst first. */
  readonly aside: readonly Finding[];
  readonly logProblems: readonly string[];
  readonly namespace: string | undefined;
  readonly kindsRead: readonly KindName[];
  /** Kinds the question names. */
  readonly kindsAsked: readonly KindName[];
  readonly withoutEvents: boolean;
  /** Things of the same name in which nothing is wrong: not what the question means. */
  readonly notMeant: readonly KubernetesObject[];
  /** Milliseconds the question looks back. */
  readonly periodMs: number | undefined;
}

/** How to investigate. */
export interface InvestigateOptions {
  readonly signal: AbortSignal;
  readonly withUsage: boolean;
}

/** Reads what a question needs, finds what it names, and diagnoses it. */
export async function investigate(
  question: Question,
  reader: ClusterReader,
  { signal, withUsage }: InvestigateOptions,
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
  const isDrain = asked.includes("Node") && question.signals.has("PDBBlocking");
  let kinds = kindsFor(asked);
  if (isDrain) kinds = [...new Set([...kinds, "Pod" as const, "PodDisruptionBudget" as const])];
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

  // "The checkout service" may be a deployment: look at the kinds that were not read yet.
  if (target.kind === "unknown" && asked.length > 0) await widen(everything);
  if (target.kind === "unknown") await widen(extensions);
  requireNamespace(namespace, namespaces, reading);
  if (target.kind === "unknown" && namespace !== undefined) {
    // It may be in another namespace.
    const everywhere = await gather(reader, {
      ...options,
      namespace: undefined,
      kinds: asked.length > 0 ? asked : workloadKinds,
      events: [],
    });
    const elsewhere = resolveTarget({ ...named, namespace: undefined }, createView(everywhere));
    if (elsewhere.kind === "objects" && !elsewhere.guessed)
      target = { ...target, near: elsewhere.objects.slice(0, 3).map(idOf) };
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
    kindsRead: kinds,
    kindsAsked: asked,
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
      kinds: asked,
    };
    const relevant = chosen(ranked(all.filter(within(periodMs, reading.now)), rankOptions), {
      ...rankOptions,
      isWide: target.kind === "all",
      isStrict: asksWhich(question.query),
    });
    return { objects, family, scope, all, rankOptions, relevant };
  };
  let looked = look();
  const isFound = () => looked.relevant.some(({ current, verified }) => current && verified);
  // Nothing wrong in what most clusters have: extensions may have a say.
  if (!isFound() && (target.kind === "objects" || asked.length === 0)) {
    await widen(extensions);
    looked = look();
  }
  const read = await withLogs(looked.relevant.slice(0, maxLogged), reader, signal);
  let findings: readonly Finding[] = [
    ...grouped(read.findings),
    ...looked.relevant.slice(maxLogged),
  ];
  if (target.kind === "objects" && !isFound()) {
    const { family } = looked;
    const pods = family.all.filter((one) => one.kind === "Pod" && family.own.has(idOf(one)));
    const more = await logErrors(pods, view, reader, signal);
    findings = [...grouped(more.findings), ...findings];
  }
  if (findings.some(({ signal: type }) => type === "RBACDenied")) {
    const more = await gather(reader, {
      ...options,
      namespace: undefined,
      kinds: rights,
      before: reading.objects,
      events: reading.events,
    });
    reading = { ...more, namespace, problems: new Map([...reading.problems, ...more.problems]) };
    view = createView(reading);
  }
  const isMesh = findings.some(({ evidence }) =>
    evidence.some(({ text }) => meshDenial.test(text)),
  );
  if (isMesh) await widen(["AuthorizationPolicy"]);
  findings = findings.map((one) => withCalled(withRights(one, view), view, interest));
  findings = ranked(findings, looked.rankOptions);
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
      looked.all.filter((one) => one.current && one.verified && !relevant.has(one)),
      { ...looked.rankOptions, targets: new Set(), named: new Set() },
    ),
    logProblems: read.problems,
  };
}
