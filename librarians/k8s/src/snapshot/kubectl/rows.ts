import type { KindName } from "../../cluster/kinds.js";
import { getKind } from "../../cluster/kinds.js";
import { type Command, kindOfWord } from "./command.js";
import { eventObject } from "./event-object.js";
import { toPod } from "./row-pod.js";
import type { Row, Table } from "./tables.js";
import { parseAge, parseSeen } from "./times.js";

/** Objects, as far as the columns of a table say. */
export function rowsToObjects(
  { columns, rows }: Table,
  command: Command | undefined,
  now: number,
): readonly unknown[] {
  if (columns.includes("REASON") && columns.includes("MESSAGE"))
    return rows.flatMap((row) => toEvent(row, command, now));
  return rows.flatMap((row) => {
    const [word, bare] =
      row.NAME?.includes("/") === true ? row.NAME.split("/") : [undefined, row.NAME];
    const kind =
      (word === undefined ? undefined : kindOfWord(word)) ??
      (command?.kind === undefined ? undefined : kindOfWord(command.kind)) ??
      kindByColumns(columns);
    if (kind === undefined || bare === undefined || bare === "") return [];
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

function toRowBody(kind: KindName, row: Row): Readonly<Record<string, unknown>> {
  const number = (name: string) => Number(row[name]?.split(" ")[0] ?? Number.NaN);
  const [ready = 0, wanted = 0] = (row.READY ?? "").split("/").map(Number);
  switch (kind) {
    case "Pod":
      return toPod(row, ready, wanted);
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
          ports: parseRowPorts(row["PORT(S)"] ?? ""),
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

function parseRowPorts(text: string) {
  return text.split(",").flatMap((one) => {
    const port = Number(/^\d{1,5}/.exec(one)?.[0] ?? Number.NaN);
    return Number.isFinite(port) ? [{ port, protocol: one.split("/")[1] ?? "TCP" }] : [];
  });
}

function toEvent(row: Row, command: Command | undefined, now: number): readonly unknown[] {
  const [word = "", name] = (row.OBJECT ?? "").split("/");
  const kind = kindOfWord(word);
  const seen = parseSeen(row["LAST SEEN"] ?? "", now);
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
