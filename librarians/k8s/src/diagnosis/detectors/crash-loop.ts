import { numberAt, recordAt } from "../../cluster/fields.js";
import type { ContainerDetector } from "../container-detector.js";
import { describeContainer, describeTermination } from "../container-state.js";
import { recentMs } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import {
  containerValues,
  endEvidence,
  logCommand,
  logWish,
  podEvent,
  siblingKey,
} from "../pod-finding.js";
import { describeRestarts } from "../recurrence.js";

/** Restarts after which a container that runs for a moment is taken to be in a loop. */
const fewRestarts = 3;
/** Twice the longest wait between restarts, in milliseconds. */
const loopMs = 600_000;

/** A container that ends again and again. Between two runs it may wait, run or have just ended. */
export const crashLoop: ContainerDetector = (container, pod, view, { history }) => {
  const { waiting, last, terminated, isRunning, ready, restarts, path, isInit, runningSince } =
    container;
  const waits = waiting?.reason === "CrashLoopBackOff";
  const ended = terminated ?? last;
  const endedAt = ended?.finishedAt ?? runningSince;
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
  if (
    !waits &&
    !loops &&
    again === undefined &&
    !(isOver && (history || (age ?? recentMs) < recentMs))
  )
    return undefined;
  const signal = isInit ? "InitContainerFailed" : "CrashLoopBackOff";
  const how = ended === undefined ? "" : `; its last run ended with ${describeTermination(ended)}`;
  const ran =
    ended?.startedAt === undefined || ended.finishedAt === undefined
      ? undefined
      : ended.finishedAt - ended.startedAt;
  const lasted = ran === undefined || ran < 0 ? "" : ` after ${Math.round(ran / 1_000)} s`;
  const state = runs ? "runs again" : waits ? "is in CrashLoopBackOff" : "keeps restarting";
  const probe = podEvent(view, pod, ["Unhealthy"], container.name, /liveness|startup/i);
  const killing = podEvent(
    view,
    pod,
    ["Killing", "Unhealthy"],
    container.name,
    /failed (?:liveness|startup) probe|(?:liveness|startup) probe failed/i,
  );
  const isKilled = ended?.exitCode === 137 || ended?.exitCode === 143 || ended?.exitCode === 0;
  const killer =
    killing.length > 0 && isKilled ? "; the kubelet killed it because its probe failed" : "";
  const guessed =
    killer === "" && isKilled && ended.exitCode !== 0 ? probeLimit(container.spec, ran) : "";
  const said = (probe[0] ?? killing[0])?.text;
  const noError =
    ended?.exitCode === 0
      ? "; that is a normal end, of a container that is meant to keep running"
      : "";
  return finding({
    signal,
    severity: isOver ? "low" : "high",
    object: pod,
    current: !isOver,
    ...(again !== undefined && { standing: { kind: "recurring" as const, why: again } }),
    confidence: ended === undefined ? 0.75 : 0.85,
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} ${state}, ${again === undefined ? `${restarts} restarts` : `restarted ${again}`}${how}${lasted}${killer === "" ? noError : killer}${guessed}${killer === "" || said === undefined ? "" : `: ${said}`}`,
    // That it waits to be started again says nothing of why.
    message: ended?.message || undefined,
    evidence: [
      ...(ended === undefined ? [] : [endEvidence(pod, container, ended)]),
      ...(waiting === undefined
        ? []
        : [fieldEvidence(pod, `${path}.state.waiting`, `${waiting.reason}: ${waiting.message}`)]),
      ...probe,
      ...killing.filter(({ id }) => !probe.some((one) => one.id === id)),
      ...podEvent(
        view,
        pod,
        ["BackOff", "FailedPostStartHook", "FailedPreStopHook"],
        container.name,
        /restart|hook/i,
      ),
    ],
    next: [...logCommand(pod, container), ...describeCommand(pod)],
    values: {
      ...containerValues(container, pod),
      ...(killer !== "" && said !== undefined && { probe_failure: said }),
    },
    logs: logWish(pod, container),
    key: siblingKey(view, pod, signal, container.name, String(ended?.exitCode ?? "")),
  });
};

/**
 * That a run lasted about as long as a failing probe lets a container live: with the events gone, the probe
 * is then what ended it, probably. Empty where it does not fit.
 */
function probeLimit(spec: unknown, ranMs: number | undefined): string {
  if (ranMs === undefined || ranMs < 0) return "";
  for (const name of ["startupProbe", "livenessProbe"]) {
    const probe = recordAt(spec, name);
    if (Object.keys(probe).length === 0) continue;
    const period = numberAt(probe, "periodSeconds") ?? 10;
    const failures = numberAt(probe, "failureThreshold") ?? 3;
    const delay = numberAt(probe, "initialDelaySeconds") ?? 0;
    const grace = numberAt(probe, "terminationGracePeriodSeconds") ?? 30;
    const minLifetime = delay + (failures - 1) * period;
    const maxLifetime = delay + (failures + 1) * period + grace;
    const ran = ranMs / 1_000;
    if (ran >= minLifetime && ran <= maxLifetime)
      return `; that is about how long its ${name} lets a container run that does not answer (initialDelaySeconds ${delay}, ${failures} failures ${period} s apart), so the probe ended it, probably`;
  }
  return "";
}
