import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt } from "../../cluster/fields.js";
import { describeContainer, describeTermination, readContainers } from "../container-state.js";
import { type ContainerDetector, type Detector, recentMs } from "../detector.js";
import { eventEvidence } from "../evidence.js";
import { clause } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import {
  containerValues,
  endEvidence,
  logCommand,
  logWish,
  podEvent,
  siblingKey,
  waitEvidence,
} from "../pod-finding.js";
import { describeRestarts, overSince } from "../recurrence.js";
import { nodeLoss, oomKilled } from "./killed-containers.js";

/** Reasons to wait that are no failure by themselves, or that say what other detectors know more of. */
const others = new Set(["", "ContainerCreating", "PodInitializing", "CrashLoopBackOff"]);

/**
 * A container that cannot be made, for whatever reason it waits: something it names is missing, its
 * configuration is refused, or the kubelet says what else.
 */
const containerConfig: ContainerDetector = (container, pod, view) => {
  const { waiting, isInit, name } = container;
  if (waiting === undefined || others.has(waiting.reason)) return undefined;
  const event = podEvent(view, pod, ["Failed"], name);
  const message = waiting.message || (event === undefined ? "" : eventEvidence(event).text);
  const isMissing =
    /(?:configmap|secret|serviceaccount)s? "[^"]{0,300}" not found|couldn't find key|references non-existent/i.test(
      message,
    );
  return {
    signal: isMissing ? "MissingReference" : isInit ? "InitContainerFailed" : "PodFailed",
    severity: "high",
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} cannot be created (${waiting.reason})${clause(": ", message)}`,
    message,
    evidence: [[`${container.path}.state.waiting`, `${waiting.reason}: ${message}`], event],
    values: containerValues(container, pod),
    key: siblingKey(view, pod, waiting.reason, name, message),
  };
};

const pullReasons = new Set([
  "ImagePullBackOff",
  "ErrImagePull",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

/** Reasons of events that say why. */
const sayWhy = ["Failed", "ErrImageNeverPull", "InspectFailed", "FailedToRetrieveImagePullSecret"];

/** What the kubelet's text says about why, in its own order of certainty. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/no such host|lookup .{0,300} (?:on|:)/i, "the registry's name does not resolve"],
  [
    /basic auth credentials|no credentials|failed to fetch (?:oauth|anonymous) token/i,
    "the registry asks for credentials, and was given none that it takes (no basic auth credentials, or no token)",
  ],
  [/no space left on device/i, "the node's disk is full (no space left on device)"],
  [/toomanyrequests|too many requests|429|rate limit/i, "the registry limits the rate of pulls"],
  [/x509|certificate/i, "the registry's certificate is not trusted"],
  [
    /unauthorized|denied|forbidden|authentication|401|403|authorization failed/i,
    "the registry refuses access, or the repository does not exist",
  ],
  [/not found|manifest unknown|does not exist|404/i, "the image or tag was not found"],
  [
    /timeout|timed out|deadline exceeded|connection refused|i\/o/i,
    "the registry could not be reached",
  ],
  [/signature/i, "its signature was not accepted"],
  [/invalid reference|couldn't parse|InvalidImageName/i, "the image's name is not valid"],
];

/** Whose credentials a refused pull was tried with: names only, what is in a Secret is not read. */
function describePullSecrets(pod: KubernetesObject, said: string): string {
  if (!/credential|unauthorized|denied|forbidden|authentication|authoriz|401|403/i.test(said))
    return "";
  const names = listAt(pod, "spec", "imagePullSecrets").flatMap((one) => textAt(one, "name") ?? []);
  return names.length === 0
    ? "; the pod names no pull secret"
    : `; its pull secret is ${names.join(", ")}, which is not read`;
}

/** An image that cannot be pulled; why is in the text of the kubelet, not in the reason. */
const imagePull: ContainerDetector = (container, pod, view) => {
  const { waiting, image, name } = container;
  if (waiting === undefined || !pullReasons.has(waiting.reason)) return undefined;
  // "Back-off pulling" comes last and says nothing of why.
  const why = /^(?!Failed Error: ).{0,60}(?:fail|pull|image|secret)/i;
  const failed =
    podEvent(view, pod, sayWhy, name, why) ?? podEvent(view, pod, ["BackOff"], name, /pull|image/i);
  const text = failed === undefined ? "" : eventEvidence(failed).text;
  const said = [text, waiting.message, waiting.reason].join(" ").slice(0, 8_000);
  const cause = causes.find(([pattern]) => pattern.test(said))?.[1];
  const unread = view.event(pod, "FailedToRetrieveImagePullSecret");
  const more = unread === undefined || unread === failed ? undefined : eventEvidence(unread);
  return {
    signal: "ImagePullBackOff",
    severity: "high",
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} cannot start: ${image === undefined ? "its image" : `image ${image}`} is not pulled (${waiting.reason})${clause(": ", cause)}${more === undefined ? describePullSecrets(pod, said) : `; ${more.text}`}`,
    message: text || waiting.message,
    evidence: [waitEvidence(container), failed, more],
    values: containerValues(container, pod),
    key: siblingKey(view, pod, "ImagePullBackOff", name, image ?? ""),
  };
};

/** A container that ended with an error and is not running. */
const exited: ContainerDetector = (container, pod, view) => {
  const { terminated, isInit } = container;
  const code = terminated?.exitCode;
  if (terminated === undefined || code === undefined || code === 0) return undefined;
  return {
    signal: isInit ? "InitContainerFailed" : "PodFailed",
    severity: "high",
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} ended with ${describeTermination(terminated)}`,
    message: terminated.message,
    evidence: [endEvidence(pod, container, terminated)],
    next: [...logCommand(pod, container), ...describeCommand(pod)],
    values: containerValues(container, pod),
    logs: logWish(pod, container),
    key: siblingKey(view, pod, "exited", container.name, String(code)),
  };
};

/** Restarts after which a container that runs for a moment is taken to be in a loop. */
const fewRestarts = 3;
/** Twice the longest wait between restarts, in milliseconds. */
const loopMs = 600_000;

/** A container that ends again and again. Between two runs it may wait, run or have just ended. */
const crashLoop: ContainerDetector = (container, pod, view, { history }) => {
  const { waiting, last, terminated, isRunning, ready, restarts, isInit, name } = container;
  const waits = waiting?.reason === "CrashLoopBackOff";
  const ended = terminated ?? last;
  const endedAt = ended?.finishedAt ?? container.runningSince;
  const age = endedAt === undefined ? undefined : view.now - endedAt;
  const failed = ended !== undefined && (ended.exitCode ?? 1) !== 0;
  const loops =
    !waits &&
    failed &&
    restarts >= fewRestarts &&
    (age === undefined ? ready === false : age < loopMs);
  const runs = !waits && !loops && isRunning && ready !== false && failed && restarts > 0;
  const again = runs ? describeRestarts(container, pod, view.now) : undefined;
  const isOver = runs && again === undefined;
  if (!waits && !loops && !runs) return undefined;
  if (isOver && !history && (age ?? recentMs) >= recentMs) return undefined;
  const signal = isInit ? "InitContainerFailed" : "CrashLoopBackOff";
  const how = ended === undefined ? "" : `; its last run ended with ${describeTermination(ended)}`;
  const ran =
    ended?.startedAt === undefined || ended.finishedAt === undefined
      ? undefined
      : ended.finishedAt - ended.startedAt;
  const lasted = ran === undefined || ran < 0 ? "" : ` after ${Math.round(ran / 1_000)} s`;
  const state = runs ? "runs again" : waits ? "is in CrashLoopBackOff" : "keeps restarting";
  const probe = podEvent(view, pod, ["Unhealthy"], name, /liveness|startup/i);
  const killing = podEvent(
    view,
    pod,
    ["Killing", "Unhealthy"],
    name,
    /failed (?:liveness|startup) probe|(?:liveness|startup) probe failed/i,
  );
  const isKilled = ended?.exitCode === 137 || ended?.exitCode === 143 || ended?.exitCode === 0;
  const isByProbe = killing !== undefined && isKilled;
  const shown = probe ?? killing;
  const said = isByProbe && shown !== undefined ? eventEvidence(shown).text : undefined;
  const why = isByProbe
    ? `; the kubelet killed it because its probe failed${clause(": ", said)}`
    : ended?.exitCode === 0
      ? "; that is a normal end, of a container that is meant to keep running"
      : isKilled
        ? probeLimit(container.spec, ran)
        : "";
  return {
    signal,
    severity: isOver ? "low" : "high",
    current: !isOver,
    standing: again === undefined ? overSince(isOver, age) : { kind: "recurring", why: again },
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} ${state}, ${again === undefined ? `${restarts} restarts` : `restarted ${again}`}${how}${lasted}${why}`,
    // That it waits to be started again says nothing of why.
    message: ended?.message,
    evidence: [
      endEvidence(pod, container, ended),
      waitEvidence(container),
      probe,
      killing === probe ? undefined : killing,
      podEvent(
        view,
        pod,
        ["BackOff", "FailedPostStartHook", "FailedPreStopHook"],
        name,
        /restart|hook/i,
      ),
    ],
    next: [...logCommand(pod, container), ...describeCommand(pod)],
    values: { ...containerValues(container, pod), probe_failure: said },
    logs: logWish(pod, container),
    key: siblingKey(view, pod, signal, name, String(ended?.exitCode ?? "")),
  };
};

/**
 * That a run lasted about as long as a failing probe lets a container live: with the events gone, the probe
 * is then what ended it, probably. Empty where it does not fit.
 */
function probeLimit(spec: unknown, ranMs: number | undefined): string {
  for (const name of ["startupProbe", "livenessProbe"]) {
    const probe = recordAt(spec, name);
    if (ranMs === undefined || Object.keys(probe).length === 0) continue;
    const period = numberAt(probe, "periodSeconds") ?? 10;
    const failures = numberAt(probe, "failureThreshold") ?? 3;
    const delay = numberAt(probe, "initialDelaySeconds") ?? 0;
    const grace = numberAt(probe, "terminationGracePeriodSeconds") ?? 30;
    const ran = ranMs / 1_000;
    if (ran >= delay + (failures - 1) * period && ran <= delay + (failures + 1) * period + grace)
      return `; that is about how long its ${name} lets a container run that does not answer (initialDelaySeconds ${delay}, ${failures} failures ${period} s apart), so the probe ended it, probably`;
  }
  return "";
}

/** Causes before what they look like: a killed container also waits in CrashLoopBackOff. */
const inOrder: readonly ContainerDetector[] = [
  oomKilled,
  nodeLoss,
  imagePull,
  containerConfig,
  crashLoop,
  exited,
];

/** What is wrong with a pod's containers: for each one, the first of these conditions that it has. */
export const containers: Detector = (pod, view, interest) => {
  const isDone = textAt(pod, "status", "phase") === "Succeeded";
  return readContainers(pod).flatMap((container) => {
    for (const detect of isDone ? [oomKilled] : inOrder) {
      const found = detect(container, pod, view, interest);
      if (found !== undefined) return [found];
    }
    return [];
  });
};
