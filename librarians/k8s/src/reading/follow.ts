import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import { actorsFor, findActors } from "../diagnosis/actors.js";
import { failedCallIn } from "../diagnosis/call.js";
import { limitRefusal } from "../diagnosis/changes/capacity.js";
import { type ClusterReading, type ClusterView, createView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import type { Finding } from "../diagnosis/finding.js";
import { meshDenial } from "../diagnosis/mesh-policy.js";
import { namersOf } from "../diagnosis/named-objects.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { readClaims } from "../question/claims.js";
import type { Question } from "../question/question.js";
import { withAwaited } from "./awaited.js";
import { withText } from "./causes.js";
import { asDenied, withCircumstances, withRights } from "./circumstances.js";
import { allowedCalls, claimedCalls, isClaim } from "./claimed-calls.js";
import { withConfigured } from "./configured-calls.js";
import { saidByControllers } from "./controller-logs.js";
import { brokenControllers, withControllerCause, withControllers } from "./controllers.js";
import { namespacesCalled, withOtherNamespaces } from "./elsewhere.js";
import { gather } from "./gather.js";
import { findAnswering, withCalled } from "./log-causes.js";
import { needsAgents, withAgentCause, withAgents } from "./node-agents.js";
import {
  attachments,
  behindCalls,
  issuers,
  meshKinds,
  metricsKinds,
  rights,
  webhooks,
} from "./plan.js";
import { logErrors, quietErrors, withLogs } from "./with-logs.js";

/** Maximum number of findings whose logs are read: of one thing, and of a whole cluster or namespace. */
const maxLogged = 3;
const maxLoggedWide = 40;

/** What findings are followed with. */
export interface FollowOptions {
  readonly reading: ClusterReading;
  readonly reader: ClusterReader;
  readonly signal: AbortSignal;
  readonly interest: Interest;
  readonly question: Question;
  /** Objects that the question names. */
  readonly objects: readonly KubernetesObject[];
  /** Pods whose logs are read although nothing in their state is wrong. */
  readonly pods: readonly KubernetesObject[];
  /** Pods of a question about everything: what their logs report counts where it is proven. */
  readonly quiet?: readonly KubernetesObject[];
  /** True where nothing is sure to be wrong with what the question names. */
  readonly isSilent: boolean;
}

/** Findings with their causes, and what was read for that. */
export interface Followed {
  readonly findings: readonly Finding[];
  readonly reading: ClusterReading;
  readonly view: ClusterView;
  readonly problems: readonly string[];
  /** True when a log of one of `pods` was read. */
  readonly withLogs: boolean;
  /** Calls that the question asks about, and that no policy keeps back. */
  readonly allowed: readonly string[];
}

/**
 * Goes from findings to their causes: reads logs, and what the calls, refusals and denials in them lead to,
 * also in other namespaces.
 */
export async function follow(
  given: readonly Finding[],
  {
    reading: start,
    reader,
    signal,
    interest,
    question,
    objects,
    pods,
    quiet = [],
    isSilent,
  }: FollowOptions,
): Promise<Followed> {
  let reading = start;
  let view = createView(reading);
  const most = objects.length === 0 ? maxLoggedWide : maxLogged;
  const logged = await withLogs(given.slice(0, most), reader, signal);
  let findings: readonly Finding[] = [...logged.findings, ...given.slice(most)];
  let withAnyLog = false;
  if (pods.length > 0) {
    const { isAboutFailure } = question;
    const more = await logErrors(pods, view, reader, { signal, isAboutFailure });
    withAnyLog = more.isRead;
    // Without a log line, a call that the question reports is followed instead.
    const said = more.findings.length > 0 ? [] : claimedCalls(question, objects, view);
    findings = [...more.findings, ...said, ...findings];
  } else if (readClaims(question.query).reach) {
    // Reachability is evaluated even if the objects have other failures.
    findings = [...claimedCalls(question, objects, view), ...findings];
  }
  const reported = new Set(findings.map(({ object }) => toObjectId(object)));
  const quietOnes = await quietErrors(quiet, view, reader, signal);
  findings = [...findings, ...quietOnes.filter(({ object }) => !reported.has(toObjectId(object)))];
  if (isSilent && findings.length === 0)
    findings = await saidByControllers(objects, view, reader, signal);
  findings = findings.map(asDenied);
  const texts = findings.flatMap((one) => [
    one.message ?? "",
    ...one.evidence.map(({ text }) => text),
  ]);
  // A call leads to what does not belong to the object: then its namespace is read.
  if (reading.partly !== undefined && texts.some((text) => failedCallIn(text) !== undefined)) {
    const whole = [...reading.objects].filter(([kind]) => reading.partly?.has(kind) !== true);
    const { namespace, usage } = reading;
    const wider = await gather(reader, {
      kinds: [...new Set([...reading.objects.keys(), ...behindCalls])],
      namespace,
      signal,
      withUsage: false,
      before: new Map(whole),
    });
    reading = { ...wider, usage };
    view = createView(reading);
  }
  const isMesh = texts.some(
    (text) => meshDenial.test(text) || failedCallIn(text)?.failure === "reset",
  );
  const isTls = texts.some((text) => failedCallIn(text)?.failure === "tls");
  const more = [
    ...(isTls ? issuers : []),
    ...(findings.some(({ signal: type }) => type === "RBACDenied") ? rights : []),
    ...(isMesh ? meshKinds : []),
    ...(findings.some(({ signal: type }) => type === "WebhookUnavailable") ? webhooks : []),
    ...(findings.some(({ signal: type }) => type === "FailedAttachVolume") ? attachments : []),
    ...(texts.some((text) => /metrics API/i.test(text)) ? metricsKinds : []),
    ...(texts.some((text) => limitRefusal.test(text)) ? (["LimitRange"] as const) : []),
  ];
  if (more.length > 0) {
    const wider = await gather(reader, {
      kinds: more,
      // A binding may be in another namespace than the call.
      namespace: more.some((kind) => rights.includes(kind)) ? undefined : reading.namespace,
      signal,
      withUsage: false,
      before: reading.objects,
      events: reading.events,
    });
    reading = {
      ...wider,
      namespace: reading.namespace,
      elsewhere: reading.elsewhere,
      partly: reading.partly,
      usage: reading.usage,
      problems: new Map([...reading.problems, ...wider.problems]),
    };
    view = createView(reading);
  }
  const places = namespacesCalled(findings, reading);
  if (places.length > 0 && reading.namespace !== undefined) {
    const kinds = [
      ...new Set([...behindCalls, ...(isTls ? issuers : []), ...(isMesh ? meshKinds : [])]),
    ];
    reading = await withOtherNamespaces(reading, places, reader, { signal, kinds });
    view = createView(reading);
  }
  if (findings.some(needsAgents)) {
    reading = await withAgents(reading, reader, signal);
    view = createView(reading);
  }
  const isUnexplained = isSilent && findings.length === 0;
  // What scales an object, or keeps it in step with a source, acts through pods of its own.
  const acted = objects.flatMap((one) => [one, ...namersOf(one, view)]);
  const actors = [
    ...findings.flatMap((one) => findActors(one, view)),
    ...(isUnexplained ? acted.flatMap((one) => actorsFor(one, view)) : []),
  ];
  if (actors.length > 0) {
    reading = await withControllers(reading, actors, reader, signal);
    view = createView(reading);
  }
  if (isUnexplained) findings = brokenControllers(acted, view, interest);
  const known = new Set(findings.map(({ object }) => toObjectId(object)));
  const followed = findings.map((one) =>
    withControllerCause(
      withAwaited(
        withAgentCause(followCause(one, view, interest), view, interest),
        view,
        interest,
        findings,
      ),
      view,
      interest,
    ),
  );
  const allowed = allowedCalls(followed, question, view);
  const answered = await Promise.all(
    followed.map(async (one, index) =>
      one.signal === findings[index]?.signal && index < maxLogged
        ? withAnswering(one, view, reader, signal)
        : one,
    ),
  );
  const caused = answered
    // A claim that leads nowhere is the question's own words.
    .filter((one) => !isClaim(one))
    // What a pod at work reports is a cause only where something was found that refuses its call.
    .filter((one) => one.values.is_quiet !== true || one.signal !== "ApplicationError")
    // A policy that was evaluated for the call does not keep it back.
    .filter((one) => allowed.length === 0 || one.verified || !/^NetworkPolicy/.test(one.signal));
  // What was called may have a log that says why it fails.
  const fresh = caused.filter(({ object }) => !known.has(toObjectId(object))).slice(0, 1);
  const deeper = await withLogs(fresh, reader, signal);
  const again = new Map(
    deeper.findings.map((one, index) => [fresh[index], withCalled(one, view, interest)] as const),
  );
  return {
    findings: caused.map((one) => again.get(one) ?? one),
    reading,
    view,
    problems: [...logged.problems, ...deeper.problems],
    withLogs: withAnyLog,
    allowed,
  };
}

/** Adds what the log of the other side says of a call that failed, where its state shows nothing. */
async function withAnswering(
  one: Finding,
  view: ClusterView,
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<Finding> {
  const pods = findAnswering(one, view);
  if (!one.current || pods.length === 0) return one;
  const { findings } = await logErrors(pods, view, reader, { signal, isAboutFailure: false });
  const [said] = findings;
  if (said === undefined) return one;
  const { namespace = "", name } = said.object.metadata;
  const text = `pod ${namespace}/${name}, which it calls, logs: ${said.message ?? ""}`;
  return withText(one, text, said.evidence.slice(0, 2));
}

/** One step further for each finding: rights, calls, volumes, and what was changed before. */
function followCause(one: Finding, view: ClusterView, interest: Interest): Finding {
  const called = withCalled(withRights(one, view), view, interest);
  const configured = called === one ? withConfigured(called, view, interest) : called;
  return withCircumstances(configured, view);
}
