import type { Row } from "./tables.js";

const phases: ReadonlySet<string> = new Set([
  "Running",
  "Pending",
  "Succeeded",
  "Failed",
  "Unknown",
]);

/** The column STATUS holds a phase, a reason of a container, or what a pod was put out for. */
export function toPod(row: Row, ready: number, wanted: number) {
  const status = row.STATUS ?? "";
  const restarts = Number(row.RESTARTS?.split(" ")[0] ?? 0);
  const isInit = status.startsWith("Init:");
  const reason = isInit ? status.slice(5) : status;
  const isPhase = phases.has(status) || status === "Completed" || status === "Terminating";
  const isPodReason = /^(?:Evicted|OutOf\w{1,20}|NodeLost|Preempting|Terminated)$/.test(status);
  const phase =
    status === "Completed"
      ? "Succeeded"
      : isPodReason || status === "Error"
        ? "Failed"
        : phases.has(status)
          ? status
          : isInit || /Pull|Creating|Config|Name$/.test(status)
            ? "Pending"
            : "Running";
  const failing = {
    ready: false,
    restartCount: restarts,
    state: /^(?:Error|OOMKilled|ContainerCannotRun|StartError)$/.test(reason)
      ? { terminated: { reason, ...(reason === "OOMKilled" ? { exitCode: 137 } : {}) } }
      : isPhase || /^\d+\/\d+$/.test(reason)
        ? {}
        : { waiting: { reason } },
  };
  const running = { ready: true, restartCount: 0, state: { running: {} } };
  const plain = Array.from({ length: Math.min(wanted, 50) }, (_, index) =>
    index < ready
      ? running
      : phase === "Running" && isPhase
        ? { ready: false, restartCount: restarts, state: { running: {} } }
        : failing,
  );
  return {
    spec: row.NODE === undefined || row.NODE === "<none>" ? {} : { nodeName: row.NODE },
    status: {
      phase,
      ...(isPodReason && { reason: status }),
      ...(row.IP !== undefined && row.IP !== "<none>" && { podIP: row.IP }),
      ...(phase === "Succeeded"
        ? {}
        : isInit && !/^\d+\/\d+$/.test(reason)
          ? { initContainerStatuses: [failing] }
          : { containerStatuses: plain }),
    },
  };
}
