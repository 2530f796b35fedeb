import type { KindName } from "../../cluster/kinds.js";
import { describedPod, toTemplate } from "./described-pod.js";
import { cells, child, findLines, findText, type Outline, parsePairs } from "./outline.js";
import { toIsoTime } from "./times.js";

/** Spec and status of an object of each kind, as far as its description says. */
export function toBody(
  kind: KindName,
  outlines: readonly Outline[],
): Readonly<Record<string, unknown>> {
  const conditions = toConditions(outlines);
  switch (kind) {
    case "Pod":
      return describedPod(outlines, conditions);
    case "Deployment":
    case "StatefulSet":
    case "ReplicaSet": {
      const text = findText(outlines, "Replicas") ?? "";
      const number = (word: string) => countsIn(text).get(word);
      const pods = findText(outlines, "Pods Status") ?? "";
      const running = /^(\d{1,6}) Running/.exec(pods)?.[1];
      return {
        spec: {
          replicas: number("desired"),
          selector: { matchLabels: parsePairs((findText(outlines, "Selector") ?? "").split(",")) },
          template: toTemplate(outlines),
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
        spec: { template: toTemplate(outlines) },
        status: {
          desiredNumberScheduled: Number(
            findText(outlines, "Desired Number of Nodes Scheduled") ?? 0,
          ),
          currentNumberScheduled: Number(
            findText(outlines, "Current Number of Nodes Scheduled") ?? 0,
          ),
          numberReady: Number(
            findText(outlines, "Number of Nodes Scheduled with Available Pods") ?? 0,
          ),
        },
      };
    case "Node":
      return {
        spec: {
          unschedulable: findText(outlines, "Unschedulable") === "true",
          taints: findLines(outlines, "Taints").map((taint) => {
            const [pair = "", effect] = taint.split(/:(?=\w{1,30}$)/);
            const [key, value] = pair.split("=");
            return { key, ...(value !== undefined && { value }), effect };
          }),
        },
        status: {
          conditions,
          allocatable: parsePairs(
            (child(outlines, "Allocatable")?.children ?? []).map(({ text }) => text),
          ),
        },
      };
    case "Service":
      return {
        spec: {
          type: findText(outlines, "Type"),
          clusterIP: findText(outlines, "IP"),
          selector: parsePairs((findText(outlines, "Selector") ?? "").split(",")),
          ports: outlines.flatMap(({ key, value }) =>
            key === "Port" ? [{ port: Number(/(\d{1,5})\//.exec(value)?.[1]) }] : [],
          ),
        },
      };
    case "PersistentVolumeClaim":
      return {
        spec: {
          storageClassName: findText(outlines, "StorageClass"),
          volumeName: findText(outlines, "Volume"),
        },
        status: { phase: findText(outlines, "Status"), conditions },
      };
    case "HorizontalPodAutoscaler": {
      const [target, name] = (findText(outlines, "Reference") ?? "").split("/");
      return {
        spec: {
          scaleTargetRef: { kind: target, name },
          minReplicas: Number(findText(outlines, "Min replicas") ?? 1),
          maxReplicas: Number(findText(outlines, "Max replicas") ?? 1),
        },
        status: { conditions },
      };
    }
    case "Job": {
      const text = findText(outlines, "Pods Statuses") ?? "";
      const number = (word: string) => countsIn(text).get(word) ?? 0;
      return {
        spec: { template: toTemplate(outlines) },
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
          schedule: findText(outlines, "Schedule"),
          suspend: findText(outlines, "Suspend") === "True",
          concurrencyPolicy: findText(outlines, "Concurrency Policy"),
        },
        status: { lastScheduleTime: toIsoTime(findText(outlines, "Last Schedule Time")) },
      };
    default: {
      const phase = findText(outlines, "Status") ?? findText(outlines, "Phase");
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
function toConditions(outlines: readonly Outline[]): readonly unknown[] {
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
        ...(toIsoTime(at("LastTransitionTime")) !== undefined && {
          lastTransitionTime: toIsoTime(at("LastTransitionTime")),
        }),
        ...(at("Reason") !== undefined && { reason: at("Reason") }),
        ...(at("Message") !== undefined && { message: at("Message") }),
      };
    });
}
