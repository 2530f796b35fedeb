import { getKind, type KindName } from "../../cluster/kinds.js";
import { type Command, kindOfWord } from "./command.js";
import { describedPod } from "./described-pod.js";
import { eventObject } from "./event-object.js";
import {
  cells,
  child,
  descriptionsIn,
  findLines,
  findText,
  type Outline,
  parseOutline,
  parsePairs,
} from "./outline.js";
import { newestIn, parseSeen, toIsoTime } from "./times.js";

/** Objects and their events, as `kubectl describe` prints them. */
export function describedObjects(
  text: string,
  command: Command | undefined,
  clock: number,
): readonly unknown[] {
  return descriptionsIn(text).flatMap((description) => {
    const outlines = parseOutline(description);
    const kind =
      (command?.kind === undefined ? undefined : kindOfWord(command.kind)) ??
      kindOfOutline(outlines);
    const name = findText(outlines, "Name");
    if (kind === undefined || name === undefined) return [];
    const { group, version, namespaced } = getKind(kind);
    const namespace = namespaced
      ? (findText(outlines, "Namespace") ?? command?.namespace ?? "default")
      : undefined;
    const labels = parsePairs(findLines(outlines, "Labels"));
    const annotations = parsePairs(findLines(outlines, "Annotations"));
    const [ownerKind, ownerName] = (findText(outlines, "Controlled By") ?? "").split("/");
    const created = toIsoTime(
      findText(outlines, "CreationTimestamp") ??
        findText(outlines, "Start Time") ??
        findText(outlines, "Created"),
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
        },
        ...toBody(kind, outlines),
      },
      ...toEvents(kind, name, namespace, { outlines, now }),
    ];
  });
}

/** The kind a description is of, where no command says it: by keys that only it has. */
function kindOfOutline(outlines: readonly Outline[]): KindName | undefined {
  const has = (key: string) => child(outlines, key) !== undefined;
  if (has("Containers") && has("Node")) return "Pod";
  return kindKeys.find(([key]) => has(key))?.[1];
}

const kindKeys: readonly (readonly [string, KindName])[] = [
  ["StrategyType", "Deployment"],
  ["Update Strategy", "StatefulSet"],
  ["Allocatable", "Node"],
  ["Concurrency Policy", "CronJob"],
  ["Completions", "Job"],
  ["TargetPort", "Service"],
  ["Min replicas", "HorizontalPodAutoscaler"],
  ["VolumeMode", "PersistentVolumeClaim"],
  ["Ingress Class", "Ingress"],
];

function toEvents(
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
    return [
      eventObject({ kind, name, namespace, seen: parseSeen(age, now), type, reason, message }),
    ];
  });
}

/** Spec and status of a pod; of anything else the phase and the conditions, as what people paste is mostly of pods. */
function toBody(kind: KindName, outlines: readonly Outline[]): Readonly<Record<string, unknown>> {
  const conditions = toConditions(outlines);
  if (kind === "Pod") return describedPod(outlines, conditions);
  const phase = findText(outlines, "Status") ?? findText(outlines, "Phase");
  const isKnown = phase !== undefined || conditions.length > 0;
  return isKnown ? { status: { ...(phase !== undefined && { phase }), conditions } } : {};
}

/** The table of conditions: `kubectl` writes its columns two spaces apart. */
function toConditions(outlines: readonly Outline[]): readonly unknown[] {
  const rows = child(outlines, "Conditions")?.children ?? [];
  const [head, ...rest] = rows.flatMap((row) => [row, ...row.children]).map(({ text }) => text);
  const names = cells(head ?? "").flatMap((cell) => cell.split(" "));
  return rest
    .filter((line) => !/^-{2,}/.test(line))
    .map((line) => {
      const values = cells(line);
      const at = (name: string) => values[names.indexOf(name)];
      return {
        type: values[0],
        status: values[1],
        lastTransitionTime: toIsoTime(at("LastTransitionTime")),
        reason: at("Reason"),
        message: at("Message"),
      };
    });
}
