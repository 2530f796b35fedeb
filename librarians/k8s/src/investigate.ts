import type { ClusterReader, KubernetesObject } from "./cluster/cluster-reader.js";
import { isKindName } from "./cluster/kinds.js";
import { withBudgets } from "./diagnosis/budgets.js";
import type { Interest } from "./diagnosis/detector.js";
import { diagnose, grouped } from "./diagnosis/diagnose.js";
import { type Family, findFamily } from "./diagnosis/family.js";
import type { Finding } from "./diagnosis/finding.js";
import { toObjectId } from "./diagnosis/object-id.js";
import { ranked } from "./diagnosis/rank.js";
import { weighFinding } from "./diagnosis/reach.js";
import { hasTrait } from "./diagnosis/signal-type.js";
import { supersededBy } from "./diagnosis/superseded.js";
import { findInAnotherNamespace } from "./in-another-namespace.js";
import type { Investigation } from "./investigation.js";
import { narrowToMatching } from "./matching-findings.js";
import { findOtherNamespaces } from "./other-places.js";
import { distinctHeads } from "./query/query.js";
import { isOpenQuestion } from "./question/claims.js";
import { asksEverywhere } from "./question/domain.js";
import { reportsFailure } from "./question/lookup.js";
import { requireNamespace } from "./question/namespace.js";
import { readPeriod } from "./question/period.js";
import { asksAnyInState, polarIn } from "./question/polar.js";
import { parseQuestion, type Question } from "./question/question.js";
import { isPlaceOnly } from "./question/resolve.js";
import { follow } from "./reading/follow.js";
import { pinMentioning } from "./reading/mentioned.js";
import { placements } from "./reading/placement.js";
import { everything, extensions, kindsFor } from "./reading/plan.js";
import {
  asksAnyTrouble,
  asksWhich,
  bearsOn,
  chosen,
  happenedWithin,
  onlyFailing,
  podsOn,
  selectAll,
  selectInNamespaces,
  stillMatters,
  wideSubject,
  within,
  withPodsOn,
} from "./scope.js";
import { setAside } from "./set-aside.js";
import { openSurroundings, type Surroundings } from "./surroundings.js";

/** How to investigate. */
export interface InvestigateOptions {
  readonly signal: AbortSignal;
  readonly withUsage: boolean;
  /** The namespace the question named, when what it names was found in another one. */
  readonly askedNamespace?: string | undefined;
  /** Namespaces that it is about; empty for the whole cluster. */
  readonly places?: readonly string[] | undefined;
}

/** Reads what a question needs, finds what it names, and diagnoses it. */
export async function investigate(
  question: Question,
  reader: ClusterReader,
  { signal, withUsage, askedNamespace, places }: InvestigateOptions,
): Promise<Investigation> {
  const isEverywhere =
    question.demanded === undefined &&
    question.resource === undefined &&
    asksEverywhere(question.query);
  const around = await openSurroundings(question, reader, {
    signal,
    withUsage,
    maySelect: askedNamespace === undefined && places === undefined,
    places: isEverywhere ? [] : places,
  });
  const { asked, named, namespace } = around;
  const isDrain = question.signals.has("PDBBlocking");
  if (isEverywhere) around.pin({ kind: "all", kinds: asked });
  await readOn(around);
  const others = places === undefined && !isEverywhere ? findOtherNamespaces(around) : undefined;
  if (others !== undefined) {
    const there = await investigate(question, reader, { signal, withUsage, places: others });
    if (there.objects.length > 0) return there;
  }
  requireNamespace(namespace, around.namespaces, around.now.reading);
  const { target: first } = around.now;
  if (first.kind === "unknown" && namespace !== undefined && askedNamespace === undefined) {
    const elsewhere = await findInAnotherNamespace(around, reader, signal);
    if (typeof elsewhere === "string") {
      const there = { ...named, namespace: elsewhere, resource: undefined };
      return investigate(there, reader, { signal, withUsage, askedNamespace: namespace });
    }
    if (elsewhere !== undefined) around.pin({ ...first, near: elsewhere });
  }

  const interest: Interest = { signals: question.signals, history: question.history };
  const sameName = around.now.target.kind === "ambiguous" ? around.now.target.candidates : [];
  const asksHealth = question.isAboutFailure || polarIn(question.query) !== undefined;
  const meant = asksHealth ? onlyFailing(sameName, around.now.view, interest) : undefined;
  const notMeant = meant === undefined ? [] : sameName.filter((one) => one !== meant);
  if (meant !== undefined) around.pin({ kind: "objects", objects: [meant], guessed: true });
  // "Is checkout ok?" asks about each checkout, whichever namespace it is in.
  // What an extension keeps in step with a Deployment has its name.
  else if (
    isOneName(sameName) &&
    (polarIn(question.query) !== undefined || areOfOwnKinds(sameName))
  )
    around.pin({ kind: "objects", objects: sameName, guessed: true });
  const periodMs = readPeriod(question.query, around.now.reading.now);
  const isAsked = happenedWithin(question.query, periodMs, around.now.reading.now);
  const base = ({ reading, view }: Pick<Surroundings["now"], "reading" | "view"> = around.now) => ({
    notMeant,
    view,
    target: around.now.target,
    namespace,
    askedNamespace,
    kindsRead: around.now.kinds,
    kindsAsked: asked,
    interest,
    question: named,
    withLogs: false,
    allowed: [],
    withoutEvents: reading.events.length === 0,
    periodMs,
  });
  const { target: meantOne } = around.now;
  if (meantOne.kind === "ambiguous" || meantOne.kind === "unknown") {
    // A name beside its kind, and nothing by it, is reported as missing.
    const isDemanded = question.demanded !== undefined || question.resource !== undefined;
    const board =
      meantOne.kind === "unknown" && namespace === undefined && !isDemanded
        ? await findMatching(question, reader, { signal, withUsage }, [])
        : undefined;
    if (board !== undefined) return board;
    return {
      ...base(),
      subject: meantOne.name,
      objects: [],
      own: new Set(),
      scope: [],
      findings: [],
      aside: [],
      setAside: { over: [], early: [], meant: [] },
      logProblems: [],
    };
  }

  const isEverything =
    (asksAnyTrouble(question.query) || reportsFailure(question.query)) &&
    asked.length > 0 &&
    asked.every((kind) => kind === "Service");
  const look = () => {
    const { target, view, kinds, reading } = around.now;
    const objects = target.kind === "objects" ? target.objects : [];
    const related = findFamily(withPodsOn(objects, asked, view), view);
    const inPlaces = selectInNamespaces(objects, kinds, view);
    const family: Family = inPlaces ?? (isDrain ? withBudgets(related, view) : related);
    const scope = target.kind === "objects" ? family.all : selectAll(view, kinds, namespace, asked);
    const rankOptions = {
      interest,
      weigh: (one: Finding) => weighFinding(one, view),
      targets: family.own,
      named: new Set(objects.map(toObjectId)),
      // "Which namespaces have problems?" asks about all that is in them, "which services are down?" about all that serves.
      kinds: [
        ...asked.filter((kind) => kind !== "Namespace" && !isEverything),
        ...(isDrain && asked.length > 0 ? (["PodDisruptionBudget"] as const) : []),
      ],
    };
    const { present: all, ...aside } = setAside(diagnose(scope, view, interest), {
      ...rankOptions,
      query: question.query,
      isWide: target.kind === "all",
    });
    const inTime = within(periodMs, reading.now);
    const matters = stillMatters(question.query, reading.now);
    const order = ranked(
      all.filter((one) => inTime(one) && matters(one) && isAsked(one)),
      rankOptions,
    );
    const touching = chosen(order, {
      ...rankOptions,
      isWide: target.kind === "all",
      isStrict: asksWhich(question.query) || asksAnyInState(question.query),
      isAnyTrouble: asksAnyTrouble(question.query),
    });
    // Failures around a named object are reported, too.
    const isMeant =
      target.kind === "objects" ||
      !(isOpenQuestion(question.query) || asksAnyInState(question.query));
    const isSilent = isMeant && !touching.some(isSure);
    const others = order.filter((one) => isSilent && isSure(one) && !touching.includes(one));
    const relevant = [...touching, ...others];
    return { objects, family, scope, all, setAside: aside, rankOptions, relevant, isSilent };
  };
  let looked = look();
  const isPartly = around.now.reading.partly !== undefined;
  if (isPartly && looked.relevant.some(({ signal: type }) => hasTrait(type, "causedElsewhere"))) {
    await around.widenPartly();
    looked = look();
  }
  // Extensions are read if the common kinds show no failure, and for failures that they may cause.
  // A board of everything that is wrong has the extensions, too.
  const isBoard = around.now.target.kind === "all" && asked.length === 0;
  const isOpenEnded =
    isBoard || (!looked.relevant.some(isSure) && around.now.target.kind === "objects");
  if (
    isOpenEnded ||
    looked.relevant.some(({ signal: type }) => hasTrait(type, "causedByExtension"))
  ) {
    await around.widen(extensions);
    looked = look();
  }
  const pods = [
    ...looked.family.all.filter(
      (one) =>
        one.kind === "Pod" &&
        looked.family.own.has(toObjectId(one)) &&
        (looked.rankOptions.named.has(toObjectId(one)) ||
          supersededBy(one, around.now.view) === undefined),
    ),
    ...podsOn(looked.objects, around.now.view),
  ];
  const isNamed = around.now.target.kind === "objects";
  const followed = await follow(looked.relevant, {
    reading: around.now.reading,
    reader,
    signal,
    interest,
    question: named,
    objects: looked.objects,
    // Logs of running containers are read if nothing else shows the cause.
    pods: isNamed && looked.isSilent ? pods : [],
    quiet: isBoard ? looked.scope.filter(({ kind }) => kind === "Pod") : [],
    isSilent: isNamed && looked.isSilent,
  });
  const placed = placements(looked.objects, named, followed.view);
  const { objects } = looked;
  const all = ranked(grouped(followed.findings), looked.rankOptions);
  const bears = bearsOn(question.query, objects, looked.family.own);
  // What fails by the words of the question may be elsewhere than what it names.
  if (!isBoard && all.length === 0 && places === undefined && namespace === undefined) {
    const names = objects.map(({ metadata }) => metadata.name);
    const board = await findMatching(question, reader, { signal, withUsage }, names);
    if (board !== undefined) return board;
  }
  const findings = all.filter(bears);
  const relevant = new Set(looked.relevant.filter(bears));
  return {
    ...base(followed),
    // What has one name is one thing for people: a Deployment, its Service and its Ingress.
    subject: isNamed
      ? distinctHeads(objects).slice(0, 3).map(toObjectId).join(", ")
      : wideSubject(namespace, asked),
    objects,
    own: looked.family.own,
    scope: looked.scope,
    findings,
    aside: ranked(
      [...new Set([...looked.all, ...all.filter((one) => !bears(one))])].filter(
        (one) => isSure(one) && !relevant.has(one) && (relevant.size === 0 || isAsked(one)),
      ),
      { ...looked.rankOptions, targets: new Set(), named: new Set() },
    ),
    // Where a DaemonSet runs is by design.
    setAside: { ...looked.setAside, meant: [...placed, ...looked.setAside.meant] },
    logProblems: followed.problems,
    withLogs: followed.withLogs,
    allowed: followed.allowed,
  };
}

/** A question about everything that is wrong. */
const everythingWrong = "What is wrong in the cluster?";

/** Of all that is wrong in the cluster, what the words of a question report. */
async function findMatching(
  question: Question,
  reader: ClusterReader,
  options: Pick<InvestigateOptions, "signal" | "withUsage">,
  names: readonly string[],
): Promise<Investigation | undefined> {
  if (!reportsFailure(question.query) || polarIn(question.query) !== undefined) return undefined;
  const board = await investigate(parseQuestion(everythingWrong), reader, options);
  return narrowToMatching({ ...board, question }, names);
}

/** Reads on until what the question names is found, with what that rests on. */
async function readOn(around: Surroundings): Promise<void> {
  const { asked, named } = around;
  // "The checkout service" may be a deployment, and so may "tiler" in "the crash loop of tiler on the arm node".
  const isOpen =
    around.now.target.kind === "unknown" ||
    around.now.target.kind === "ambiguous" ||
    isPlaceOnly(around.now.target, named, around.now.view);
  if (isOpen && asked.length > 0) await around.widen(everything);
  const isUnnamed = around.now.target.kind === "all" && named.names.length > 0;
  if (around.now.target.kind === "unknown" || isUnnamed) await around.widen(extensions);
  else if (isNamedInPart(around)) await around.widen(extensions);
  if (around.now.target.kind === "unknown") await pinMentioning(around);
  const { target, reading, kinds } = around.now;
  if (target.kind !== "objects") {
    if (reading.partly !== undefined) await around.widenPartly();
    return;
  }
  // "The certificate of shop.example.com" may be an Ingress: what that rests on is read as well.
  const needed = kindsFor(target.objects.map((one) => one.kind).filter(isKindName));
  const isRead = reading.partly !== undefined || needed.every((kind) => kinds.includes(kind));
  if (!isRead) await around.widen(needed);
}

/** True where a name with a joint in it was found in longer ones only: an extension may have it as it is. */
function isNamedInPart({ now: { target }, named }: Surroundings): boolean {
  return (
    target.kind === "objects" &&
    named.names.some(
      (name) =>
        name.includes("-") &&
        target.objects.every(({ metadata }) => metadata.name.startsWith(`${name}-`)),
    )
  );
}

/** Whether things have one name, and are in namespaces of their own. */
function isOneName(some: readonly KubernetesObject[]): boolean {
  const places = new Set(some.map(({ metadata }) => metadata.namespace));
  return (
    some.length > 0 &&
    places.size === some.length &&
    new Set(some.map(({ metadata }) => metadata.name)).size === 1
  );
}

function areOfOwnKinds(some: readonly KubernetesObject[]): boolean {
  return new Set(some.map(({ kind }) => kind)).size === some.length;
}

function isSure({ current, verified }: Finding): boolean {
  return current && verified;
}
