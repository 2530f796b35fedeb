import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { failedCallIn } from "../diagnosis/call.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import { type Finding, finding, type LogWish } from "../diagnosis/finding.js";
import { kubectl, option } from "../diagnosis/kubectl.js";
import { isReady } from "../diagnosis/ready.js";
import { hasTrait } from "../diagnosis/signal-type.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { isStrongError, type LogReport, readLog } from "./log-evidence.js";

/** Maximum number of logs that one question about a thing reads, and of each finding of several. */
const maxLogs = 4;
const maxLogsEach = 2;

/** Findings with what the logs add, and what could not be read. */
export interface LoggedFindings {
  readonly findings: readonly Finding[];
  readonly problems: readonly string[];
}

/** As {@link LoggedFindings}, of pods whose state shows nothing wrong. */
export interface LogErrors extends LoggedFindings {
  /** True when any of the logs could be read. */
  readonly isRead: boolean;
}

/** Reads the logs of the containers that failed, and of no other. */
export async function withLogs(
  findings: readonly Finding[],
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<LoggedFindings> {
  let left = Math.max(maxLogs, findings.length);
  const problems: string[] = [];
  const read = await Promise.all(
    findings.map(async (one) => {
      const wishes = [
        ...new Map(
          // A symptom's log is evidence of the symptom, not of its cause.
          (one.logs.length > 0 ? one.logs : withAllSymptoms(one).flatMap(({ logs }) => logs)).map(
            (wish) => [JSON.stringify(wish), wish],
          ),
        ).values(),
      ].slice(0, Math.min(maxLogsEach, left));
      left -= wishes.length;
      const reports = await Promise.all(wishes.map((wish) => readLog(reader, wish, signal)));
      for (const { problem, wish } of reports)
        if (problem !== undefined)
          problems.push(
            `log of ${wish.namespace}/${wish.pod}${wish.container === undefined ? "" : `/${wish.container}`} (${problem.code})`,
          );
      return reports.length === 0 ? one : added(one, reports);
    }),
  );
  signal.throwIfAborted();
  return { findings: read, problems };
}

function added(one: Finding, reports: readonly LogReport[]): Finding {
  const lines = reports.flatMap(({ evidence }) => evidence);
  const denied = reports.find((report) => report.denied !== undefined)?.denied;
  const values = {
    ...one.values,
    ...(lines.length > 0 && { last_log_lines: lines.map(({ text }) => text) }),
  };
  const known = new Set(one.evidence.map(({ id }) => id));
  const evidence = [...one.evidence, ...lines.filter(({ id }) => !known.has(id))];
  if (denied !== undefined) {
    return {
      ...one,
      signal: "RBACDenied",
      summary: `a call of pod ${one.object.metadata.name} to the cluster is denied: ${denied.text}`,
      message: denied.text,
      evidence: [denied, ...evidence.filter(({ id }) => id !== denied.id)],
      symptoms: [{ ...one, symptoms: [] }, ...one.symptoms],
      values: { ...values, observed_signal: one.signal },
      next: [
        ...one.next,
        ...kubectl`auth can-i --list${option("-n", one.object.metadata.namespace)}`,
      ],
    };
  }
  const error = reports.find((report) => report.error !== undefined)?.error;
  // Without a recognized error, the last lines of the container are shown, unless they are of a normal end or of a kill.
  const isExplained = one.values.exit_code === 0 || one.values.probe_failure !== undefined;
  const last =
    one.current && hasTrait(one.signal, "endOfContainer") && !isExplained
      ? lines.at(-1)
      : undefined;
  return {
    ...one,
    message: one.message ?? error?.text ?? last?.text,
    evidence,
    values,
  };
}

/** Number of lines without an error that show that a program continued. */
const minCalmLines = 2;

/** Looks into the logs of pods whose state shows nothing wrong. */
export async function logErrors(
  pods: readonly KubernetesObject[],
  view: ClusterView,
  reader: ClusterReader,
  {
    signal,
    isAboutFailure,
    maxPods = 3,
  }: {
    readonly signal: AbortSignal;
    readonly isAboutFailure: boolean;
    readonly maxPods?: number;
  },
): Promise<LogErrors> {
  const wishes = pods
    .filter(
      (pod) =>
        isTrace(pod) ||
        textAt(pod, "status", "phase") === "Running" ||
        textAt(pod, "status", "phase") === "Succeeded",
    )
    .slice(0, maxPods)
    .flatMap((pod) => planLogReads(pod).map((wish) => ({ pod, wish })))
    .slice(0, maxPods + 1);
  const reports = await Promise.all(
    wishes.map(async ({ pod, wish }) => ({ pod, report: await readLog(reader, wish, signal) })),
  );
  signal.throwIfAborted();
  const found = reports.flatMap(({ pod, report }) => {
    // Without an error the last lines are shown, whose words may look like one.
    const errors = report.error === undefined ? [] : report.evidence;
    const line =
      report.denied ??
      errors.find(({ text }) => isStrongError(text)) ??
      errors.find(({ text }) => failedCallIn(text) !== undefined) ??
      // Where the question says that something fails, any line that reports a failure bears on it.
      (isAboutFailure ? report.error : undefined);
    if (line === undefined) return [];
    // What a program that serves continued after is over, unless it may not do or does not reach something.
    const isOver =
      isReady(pod) &&
      report.denied === undefined &&
      failedCallIn(line.text) === undefined &&
      report.calmLines >= minCalmLines;
    const where = report.wish.container === undefined ? "" : ` container ${report.wish.container}`;
    return [
      finding({
        signal: report.denied === undefined ? "ApplicationError" : "RBACDenied",
        severity: "medium",
        current: !isOver,
        object: pod,
        summary: `pod ${pod.metadata.name} runs, and its log${where} reports an error: ${line.text}`,
        message: line.text,
        evidence: [line, ...report.evidence.filter(({ id }) => id !== line.id)],
        next: [
          ...kubectl`logs ${pod.metadata.name}${option("-n", pod.metadata.namespace)}${option("-c", report.wish.container)}`,
        ],
        values: {
          phase: textAt(pod, "status", "phase"),
          last_log_lines: report.evidence.map(({ text }) => text),
        },
        key: `log|${view.owner(pod)?.metadata.name ?? pod.metadata.name}|${report.wish.container ?? ""}`,
      }),
    ];
  });
  return {
    findings: found,
    problems: [],
    isRead: reports.some(({ report }) => report.problem === undefined),
  };
}

/** Maximum number of pods at work whose logs a question about everything reads. */
const maxQuiet = 40;

/**
 * What pods at work report of calls that are refused: one pod of each workload, those first that have an account of their own.
 * Their state shows nothing, so only what is proven afterwards counts.
 */
export async function quietErrors(
  pods: readonly KubernetesObject[],
  view: ClusterView,
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const each = new Map(pods.filter(isReady).map((pod) => [findTopOwner(pod, view), pod]));
  const hasAccount = (pod: KubernetesObject) =>
    (textAt(pod, "spec", "serviceAccountName") ?? "default") !== "default";
  const some = [...each.values()].sort((a, b) => Number(hasAccount(b)) - Number(hasAccount(a)));
  const options = { signal, isAboutFailure: false, maxPods: maxQuiet };
  const { findings } = await logErrors(some, view, reader, options);
  return findings
    .filter(
      ({ signal: type, message = "" }) =>
        type === "RBACDenied" || failedCallIn(message)?.failure === "timeout",
    )
    .map((one) => ({ ...one, values: { ...one.values, is_quiet: true } }));
}

function planLogReads(pod: KubernetesObject): readonly LogWish[] {
  const { namespace, name } = pod.metadata;
  if (namespace === undefined) return [];
  const names = listAt(pod, "spec", "containers").flatMap(
    (container) => textAt(container, "name") ?? [],
  );
  return (names.length === 0 ? [undefined] : names.slice(0, 2)).map((container) => ({
    namespace,
    pod: name,
    container,
    previous: false,
  }));
}
