import type { KindName } from "../../cluster/kinds.js";
import { describedPod, templateOf } from "./described-pod.js";
import { cells, child, linesOf, type Outline, pairsOf, textOf } from "./outline.js";
import { timeOf } from "./times.js";

/** Spec and status of an object of each kind, as far as its description says. */
export function bodyOf(
  kind: KindName,
  outlines: readonly Outline[],
): Readonly<Record<string, unknown>> {
  const conditions = conditionsOf(outlines);
  switch (kind) {
    case "Pod":
      return describedPod(outlines, conditions);
    case "Deployment":
    case "StatefulSet":
    case "ReplicaSet": {
      const text = textOf(outlines, "Replicas") ?? "";
      const number = (word: string) => countsIn(text).get(word);
      const pods = textOf(outlines, "Pods Status") ?? "";
      const running = /^(\d{1,6}) Running/.exec(pods)?.[1];
      return {
        spec: {
          replicas: number("desired"),
          selector: { matchLabels: pairsOf((textOf(outlines, "Selector") ?? "").split(",")) },
          template: templateOf(outlines),
        },
        status: {
          replicas: number("total") ?? number("current"),
          updatedReplicas: number("updated"),
          readyReplicas:
            number("available") ?? (running === undefined ? undefined : Number(running)),
          availableReplicas: number("available"),
          unavailableReplicas: number("unavailable"),
          conditions,
        },
      };
    }
    case "DaemonSet":
      return {
        spec: { template: templateOf(outlines) },
        status: {
          desiredNumberScheduled: Number(
            textOf(outlines, "Desired Number of Nodes Scheduled") ?? 0,
          ),
          currentNumberScheduled: Number(
            textOf(outlines, "Current Number of Nodes Scheduled") ?? 0,
          ),
          numberReady: Number(
            textOf(outlines, "Number of Nodes Scheduled with Available Pods") ?? 0,
          ),
        },
      };
    case "Node":
      return {
        spec: {
          unschedulable: textOf(outlines, "Unschedulable") === "true",
          taints: linesOf(outlines, "Taints").map((taint) => {
            const [pair = "", effect] = taint.split(/:(?=\w{1,30}$)/);
            const [key, value] = pair.split("=");
            return { key, ...(value !== undefined && { value }), effect };
          }),
        },
        status: {
          conditions,
          allocatable: pairsOf(
            (child(outlines, "Allocatable")?.children ?? []).map(({ text }) => text),
          ),
        },
      };
    case "Service":
      return {
        spec: {
          type: textOf(outlines, "Type"),
          clusterIP: textOf(outlines, "IP"),
          selector: pairsOf((textOf(outlines, "Selector") ?? "").split(",")),
          ports: outlines.flatMap(({ key, value }) =>
            key === "Port" ? [{ port: Number(/(\d{1,5})\//.exec(value)?.[1]) }] : [],
          ),
        },
      };
    case "PersistentVolumeClaim":
      return {
        spec: {
          storageClassName: textOf(outlines, "StorageClass"),
          volumeName: textOf(outlines, "Volume"),
        },
        status: { phase: textOf(outlines, "Status"), conditions },
      };
    case "HorizontalPodAutoscaler": {
      const [target, name] = (textOf(outlines, "Reference") ?? "").split("/");
      return {
        spec: {
          scaleTargetRef: { kind: target, name },
          minReplicas: Number(textOf(outlines, "Min replicas") ?? 1),
          maxReplicas: Number(textOf(outlines, "Max replicas") ?? 1),
        },
        status: { conditions },
      };
    }
    case "Job": {
      const text = textOf(outlines, "Pods Statuses") ?? "";
      const number = (word: string) => countsIn(text).get(word) ?? 0;
      return {
        spec: { template: templateOf(outlines) },
        status: {
          active: number("Active"),
          succeeded: number("Succeeded"),
          failed: number("Failed"),
          conditions,
        },
      };
    }
    case "CronJob":
      return {
        spec: {
          schedule: textOf(outlines, "Schedule"),
          suspend: textOf(outlines, "Suspend") === "True",
          concurrencyPolicy: textOf(outlines, "Concurrency Policy"),
        },
        status: { lastScheduleTime: timeOf(textOf(outlines, "Last Schedule Time")) },
      };
    default: {
      const phase = textOf(outlines, "Status") ?? textOf(outlines, "Phase");
      return { status: { ...(phase !== undefined && { phase }), conditions } };
    }
  }
}

/** `3 desired | 1 available` as numbers by their words. */
function countsIn(text: string): ReadonlyMap<string, number> {
  return new Map(
    [...text.matchAll(/(\d{1,6}) ([A-Za-z]{1,20})/g)].map(([, number, word]) => [
      word ?? "",
      Number(number),
    ]),
  );
}

/** The table of conditions: in columns where it has messages, which hold spaces, else by white space. */
function conditionsOf(outlines: readonly Outline[]): readonly unknown[] {
  const rows = child(outlines, "Conditions")?.children ?? [];
  const [head, ...rest] = rows.flatMap((row) => [row, ...row.children]).map(({ text }) => text);
  if (head === undefined) return [];
  const names = cells(head).flatMap((cell) => cell.split(" "));
  return rest
    .filter((line) => !/^-{2,}/.test(line))
    .map((line) => {
      const values = cells(line);
      const at = (name: string) => {
        const index = names.indexOf(name);
        return index < 0 ? undefined : values[index];
      };
      return {
        type: values[0],
        status: values[1],
        ...(timeOf(at("LastTransitionTime")) !== undefined && {
          lastTransitionTime: timeOf(at("LastTransitionTime")),
        }),
        ...(at("Reason") !== undefined && { reason: at("Reason") }),
        ...(at("Message") !== undefined && { message: at("Message") }),
      };
    });
}
