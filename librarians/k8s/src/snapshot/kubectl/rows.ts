import { getKind, type KindName } from "../../cluster/kinds.js";
import { type Command, kindOfWord } from "./command.js";
import { eventOfRow, parseAge } from "./printed-events.js";
import type { Row, Table } from "./tables.js";

/** Objects, as far as the columns of a table say. */
export function rowsToObjects(
  { columns, rows }: Table,
  command: Command | undefined,
  now: number,
): readonly unknown[] {
  if (columns.includes("REASON") && columns.includes("MESSAGE"))
    return rows.flatMap((row) => eventOfRow(row, command, now));
  return rows.flatMap((row) => {
    const [word, bare] =
      row.NAME?.includes("/") === true ? row.NAME.split("/") : [undefined, row.NAME];
    const kind =
      (word === undefined ? undefined : kindOfWord(word)) ??
      (command?.kind === undefined ? undefined : kindOfWord(command.kind)) ??
      kindByColumns(columns);
    // The addresses of endpoints are not read: without them they would be none.
    if (kind === undefined || kind === "Endpoints" || bare === undefined || bare === "") return [];
    const { group, version, namespaced } = getKind(kind);
    const namespace = namespaced ? (row.NAMESPACE ?? command?.namespace ?? "default") : undefined;
    const age = parseAge(row.AGE ?? "");
    return [
      {
        apiVersion: group === "" ? version : `${group}/${version}`,
        kind,
        metadata: {
          name: bare,
          ...(namespace !== undefined && { namespace }),
          ...(age !== undefined && { creationTimestamp: new Date(now - age).toISOString() }),
        },
        ...toRowBody(kind, row),
      },
    ];
  });
}

/** The kind a table is of, where no command says it. */
function kindByColumns(columns: readonly string[]): KindName | undefined {
  const has = (...names: readonly string[]) => names.every((name) => columns.includes(name));
  if (has("READY", "STATUS", "RESTARTS")) return "Pod";
  if (has("READY", "UP-TO-DATE", "AVAILABLE")) return "Deployment";
  return has("STATUS", "ROLES", "VERSION") ? "Node" : undefined;
}

/** What people paste is mostly lists of pods, workloads and nodes; of anything else a row says its phase. */
function toRowBody(kind: KindName, row: Row): Readonly<Record<string, unknown>> {
  const [ready = 0, wanted = 0] = (row.READY ?? "").split("/").map(Number);
  switch (kind) {
    case "Pod":
      return toPod(row, ready, wanted);
    case "Deployment":
    case "StatefulSet": {
      const updated = Number(row["UP-TO-DATE"] ?? wanted);
      return {
        spec: { replicas: wanted },
        status: { replicas: wanted, readyReplicas: ready, updatedReplicas: updated },
      };
    }
    case "Node": {
      const states = (row.STATUS ?? "").split(",");
      const status = states.includes("NotReady") ? "False" : "True";
      return {
        spec: states.includes("SchedulingDisabled") ? { unschedulable: true } : {},
        status: { conditions: [{ type: "Ready", status }] },
      };
    }
    default:
      return row.STATUS === undefined ? {} : { status: { phase: row.STATUS } };
  }
}

const phases: ReadonlySet<string> = new Set("Running Pending Succeeded Failed Unknown".split(" "));
const progress = /^\d+\/\d+$/;

/** The column STATUS holds a phase, a reason of a container, or what a pod was put out for. */
function toPod(row: Row, ready: number, wanted: number) {
  const status = row.STATUS ?? "";
  const restarts = Number(row.RESTARTS?.split(" ")[0] ?? 0);
  const isInit = status.startsWith("Init:");
  const reason = isInit ? status.slice(5) : status;
  const isPhase = phases.has(status) || status === "Completed" || status === "Terminating";
  const isPodReason = /^(?:Evicted|OutOf\w{1,20}|NodeLost|Preempting|Terminated)$/.test(status);
  const state = /^(?:Error|OOMKilled|ContainerCannotRun|StartError)$/.test(reason)
    ? { terminated: { reason, ...(reason === "OOMKilled" ? { exitCode: 137 } : {}) } }
    : isPhase || progress.test(reason)
      ? {}
      : { waiting: { reason } };
  const phase = readPhase(status, isPodReason, isInit);
  const failing = { ready: false, restartCount: restarts, state };
  const running = { ready: true, restartCount: 0, state: { running: {} } };
  const idle = { ...running, ready: false, restartCount: restarts };
  const containers = Array.from({ length: Math.min(wanted, 50) }, (_, index) =>
    index < ready ? running : phase === "Running" && isPhase ? idle : failing,
  );
  const isFailingInit = isInit && !progress.test(reason);
  return {
    spec: row.NODE === undefined || row.NODE === "<none>" ? {} : { nodeName: row.NODE },
    status: {
      phase,
      ...(isPodReason && { reason: status }),
      ...(row.IP !== undefined && row.IP !== "<none>" && { podIP: row.IP }),
      ...(phase !== "Succeeded" &&
        (isFailingInit ? { initContainerStatuses: [failing] } : { containerStatuses: containers })),
    },
  };
}

function readPhase(status: string, isPodReason: boolean, isInit: boolean): string {
  if (status === "Completed") return "Succeeded";
  if (isPodReason || status === "Error") return "Failed";
  if (phases.has(status)) return status;
  return isInit || /Pull|Creating|Config|Name$/.test(status) ? "Pending" : "Running";
}
