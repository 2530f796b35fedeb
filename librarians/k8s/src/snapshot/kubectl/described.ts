import { type KindName, kindOf } from "../../cluster/kinds.js";
import { type Command, kindOfWord } from "./command.js";
import { bodyOf } from "./described-body.js";
import { eventObject } from "./event-object.js";
import {
  cells,
  child,
  descriptionsIn,
  linesOf,
  type Outline,
  outlineOf,
  pairsOf,
  textOf,
} from "./outline.js";
import { newestIn, seenOf, timeOf } from "./times.js";

/** Objects and their events, as `kubectl describe` prints them. */
export function describedObjects(
  text: string,
  command: Command | undefined,
  clock: number,
): readonly unknown[] {
  return descriptionsIn(text).flatMap((description) => {
    const outlines = outlineOf(description);
    const kind =
      (command?.kind === undefined ? undefined : kindOfWord(command.kind)) ??
      kindOfOutline(outlines);
    const name = textOf(outlines, "Name");
    if (kind === undefined || name === undefined) return [];
    const { group, version, namespaced } = kindOf(kind);
    const namespace = namespaced
      ? (textOf(outlines, "Namespace") ?? command?.namespace ?? "default")
      : undefined;
    const labels = pairsOf(linesOf(outlines, "Labels"));
    const annotations = pairsOf(linesOf(outlines, "Annotations"));
    const [ownerKind, ownerName] = (textOf(outlines, "Controlled By") ?? "").split("/");
    const created = timeOf(
      textOf(outlines, "CreationTimestamp") ??
        textOf(outlines, "Start Time") ??
        textOf(outlines, "Created"),
    );
    const finalizers = linesOf(outlines, "Finalizers").flatMap((one) =>
      one.replace(/^\[|\]$/g, "").split(/[\s,]+/),
    );
    const now = newestIn(description) ?? clock;
    return [
      {
        apiVersion: group === "" ? version : `${group}/${version}`,
        kind,
        metadata: {
          name,
          ...(namespace !== undefined && { namespace }),
          labels,
          annotations,
          ...(created !== undefined && { creationTimestamp: created }),
          ...(ownerName !== undefined && {
            ownerReferences: [{ kind: ownerKind, name: ownerName, controller: true }],
          }),
          ...(finalizers.length > 0 && { finalizers }),
        },
        ...bodyOf(kind, outlines),
      },
      ...(kind === "Service" ? endpointsOf(name, namespace, outlines) : []),
      ...eventsOf(kind, name, namespace, { outlines, now }),
    ];
  });
}

/** The kind a description is of, where no command says it: by keys that only it has. */
function kindOfOutline(outlines: readonly Outline[]): KindName | undefined {
  const has = (...keys: readonly string[]) =>
    keys.every((key) => child(outlines, key) !== undefined);
  if (has("Containers", "Node")) return "Pod";
  if (has("StrategyType")) return "Deployment";
  if (has("Desired Number of Nodes Scheduled")) return "DaemonSet";
  if (has("Update Strategy") || has("Volume Claims")) return "StatefulSet";
  if (has("Allocatable")) return "Node";
  if (has("Schedule", "Concurrency Policy")) return "CronJob";
  if (has("Completions")) return "Job";
  if (has("Pod Template", "Replicas")) return "ReplicaSet";
  if (has("TargetPort") || has("Session Affinity")) return "Service";
  if (has("Min replicas")) return "HorizontalPodAutoscaler";
  if (has("StorageClass", "VolumeMode", "Used By")) return "PersistentVolumeClaim";
  if (has("Rules", "Ingress Class")) return "Ingress";
  if (has("Min available") || has("Allowed disruptions")) return "PodDisruptionBudget";
  return undefined;
}

function endpointsOf(
  name: string,
  namespace: string | undefined,
  outlines: readonly Outline[],
): readonly unknown[] {
  const found = child(outlines, "Endpoints");
  if (found === undefined) return [];
  const addresses = found.value
    .split(",")
    .filter((one) => /\d/.test(one))
    .map((one) => ({ ip: one.split(":")[0] }));
  return [
    {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { name, namespace },
      subsets: addresses.length === 0 ? [] : [{ addresses }],
    },
  ];
}

function eventsOf(
  kind: KindName,
  name: string,
  namespace: string | undefined,
  { outlines, now }: { readonly outlines: readonly Outline[]; readonly now: number },
): readonly unknown[] {
  const rows = (child(outlines, "Events")?.children ?? [])
    .flatMap((row) => [row, ...row.children])
    .map(({ text }) => text)
    .filter((line) => !/^-{2,}/.test(line) && !/^Type\s/.test(line));
  return rows.flatMap((line) => {
    const [type, reason, age = "", ...rest] = cells(line);
    if (!/^(?:Normal|Warning)$/.test(type ?? "")) return [];
    const message = rest.slice(1).join("  ");
    return [eventObject({ kind, name, namespace, seen: seenOf(age, now), type, reason, message })];
  });
}
