import { getKind, type KindName } from "../../cluster/kinds.js";
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
