import type { KindName } from "../../cluster/kinds.js";
import { kindOf } from "../../cluster/kinds.js";
import { type Command, kindOfWord } from "./command.js";
import type { Table } from "./tables.js";
import { ageOf, seenOf } from "./times.js";

type Row = Readonly<Record<string, string>>;

/** Objects, as far as the columns of a table say. */
export function rowsToObjects(
  { columns, rows }: Table,
  command: Command | undefined,
  now: number,
): readonly unknown[] {
  if (columns.includes("REASON") && columns.includes("MESSAGE"))
    return rows.flatMap((row) => eventOf(row, command, now));
  return rows.flatMap((row) => {
    const [word, bare] =
      row.NAME?.includes("/") === true ? row.NAME.split("/") : [undefined, row.NAME];
    const kind =
      (word === undefined ? undefined : kindOfWord(word)) ??
      (command?.kind === undefined ? undefined : kindOfWord(command.kind)) ??
      kindByColumns(columns);
    if (kind === undefined || bare === undefined || bare === "") return [];
    const { group, version, namespaced } = kindOf(kind);
    const namespace = namespaced ? (row.NAMESPACE ?? command?.namespace ?? "default") : undefined;
    const age = ageOf(row.AGE ?? "");
    return [
      {
        apiVersion: group === "" ? version : `${group}/${version}`,
        kind,
        metadata: {
          name: bare,
          ...(namespace !== undefined && { namespace }),
          ...(age !== undefined && { creationTimestamp: new Date(now - age).toISOString() }),
        },
        ...bodyOf(kind, row),
      },
    ];
  });
}

/** The kind a table is of, where no command says it. */
function kindByColumns(columns: readonly string[]): KindName | undefined {
  const has = (...names: readonly string[]) => names.every((name) => columns.includes(name));
  if (has("READY", "STATUS", "RESTARTS")) return "Pod";
  if (has("READY", "UP-TO-DATE", "AVAILABLE") && !has("DESIRED")) return "Deployment";
  if (has("DESIRED", "CURRENT", "NODE SELECTOR")) return "DaemonSet";
  if (has("DESIRED", "CURRENT", "READY")) return "ReplicaSet";
  if (has("STATUS", "ROLES", "VERSION")) return "Node";
  if (has("CLUSTER-IP", "PORT(S)")) return "Service";
  if (has("STATUS", "VOLUME", "CAPACITY")) return "PersistentVolumeClaim";
  if (has("SCHEDULE", "SUSPEND")) return "CronJob";
  if (has("COMPLETIONS", "DURATION")) return "Job";
  if (has("REFERENCE", "MINPODS")) return "HorizontalPodAutoscaler";
  if (has("ENDPOINTS")) return "Endpoints";
  return has("READY", "AGE") && columns.length <= 4 ? "StatefulSet" : undefined;
}

function bodyOf(kind: KindName, row: Row): Readonly<Record<string, unknown>> {
  const number = (name: string) => Number(row[name]?.split(" ")[0] ?? Number.NaN);
  const [ready = 0, wanted = 0] = (row.READY ?? "").split("/").map(Number);
  switch (kind) {
    case "Pod":
      return podOf(row, ready, wanted);
    case "Deployment":
      return {
        spec: { replicas: wanted },
        status: {
          replicas: wanted,
          readyReplicas: ready,
          updatedReplicas: number("UP-TO-DATE"),
          availableReplicas: number("AVAILABLE"),
        },
      };
    case "StatefulSet":
      return { spec: { replicas: wanted }, status: { replicas: wanted, readyReplicas: ready } };
    case "ReplicaSet":
      return {
        spec: { replicas: number("DESIRED") },
        status: { replicas: number("CURRENT"), readyReplicas: number("READY") },
      };
    case "DaemonSet":
      return {
        status: {
          desiredNumberScheduled: number("DESIRED"),
          currentNumberScheduled: number("CURRENT"),
          numberReady: number("READY"),
          numberAvailable: number("AVAILABLE"),
        },
      };
    case "Node": {
      const states = (row.STATUS ?? "").split(",");
      const isUnknown = states.includes("NotReady");
      return {
        spec: states.includes("SchedulingDisabled") ? { unschedulable: true } : {},
        status: { conditions: [{ type: "Ready", status: isUnknown ? "False" : "True" }] },
      };
    }
    case "Service":
      return {
        spec: {
          type: row.TYPE,
          clusterIP: row["CLUSTER-IP"],
          ports: portsOf(row["PORT(S)"] ?? ""),
        },
        status: {
          loadBalancer: /^[\d.]+$/.test(row["EXTERNAL-IP"] ?? "")
            ? { ingress: [{ ip: row["EXTERNAL-IP"] }] }
            : {},
        },
      };
    case "PersistentVolumeClaim":
      return {
        spec: {
          storageClassName: row.STORAGECLASS,
          ...(row.VOLUME !== "" && { volumeName: row.VOLUME }),
        },
        status: { phase: row.STATUS },
      };
    case "Endpoints":
      return {
        subsets:
          row.ENDPOINTS === "<none>"
            ? []
            : [
                {
                  addresses: (row.ENDPOINTS ?? "")
                    .split(",")
                    .map((one) => ({ ip: one.split(":")[0] })),
                },
              ],
      };
    case "HorizontalPodAutoscaler": {
      const [target, name] = (row.REFERENCE ?? "").split("/");
      return {
        spec: {
          scaleTargetRef: { kind: target, name },
          minReplicas: number("MINPODS"),
          maxReplicas: number("MAXPODS"),
        },
        status: { currentReplicas: number("REPLICAS"), desiredReplicas: number("REPLICAS") },
      };
    }
    case "CronJob":
      return { spec: { schedule: row.SCHEDULE, suspend: /^true$/i.test(row.SUSPEND ?? "") } };
    default:
      return row.STATUS === undefined ? {} : { status: { phase: row.STATUS } };
  }
}

const phases: ReadonlySet<string> = new Set([
  "Running",
  "Pending",
  "Succeeded",
  "Failed",
  "Unknown",
]);

/** The column STATUS holds a phase, a reason of a container, or what a pod was put out for. */
function podOf(row: Row, ready: number, wanted: number) {
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

function portsOf(text: string) {
  return text.split(",").flatMap((one) => {
    const port = Number(/^\d{1,5}/.exec(one)?.[0] ?? Number.NaN);
    return Number.isFinite(port) ? [{ port, protocol: one.split("/")[1] ?? "TCP" }] : [];
  });
}

function eventOf(row: Row, command: Command | undefined, now: number): readonly unknown[] {
  const [word = "", name] = (row.OBJECT ?? "").split("/");
  const kind = kindOfWord(word);
  const seen = seenOf(row["LAST SEEN"] ?? "", now);
  if (kind === undefined || name === undefined) return [];
  const namespace = row.NAMESPACE ?? command?.namespace ?? "default";
  return [
    eventObject({
      kind,
      name,
      namespace,
      seen,
      type: row.TYPE,
      reason: row.REASON,
      message: row.MESSAGE,
    }),
  ];
}

/** An event in the form of the API. */
export function eventObject({
  kind,
  name,
  namespace,
  seen,
  type,
  reason,
  message,
}: {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly seen: ReturnType<typeof seenOf>;
  readonly type: string | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}) {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: `${name}.${reason ?? ""}.${seen?.last ?? "0"}`.toLowerCase(),
      namespace: namespace ?? "default",
    },
    involvedObject: { kind, name, ...(namespace !== undefined && { namespace }) },
    type,
    reason,
    message,
    ...(seen !== undefined && {
      firstTimestamp: seen.first,
      lastTimestamp: seen.last,
      count: seen.count,
    }),
  };
}
