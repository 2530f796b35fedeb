import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";

/** The newest revision of a Deployment. */
export interface Revision {
  readonly set: KubernetesObject;
  readonly before: KubernetesObject | undefined;
  /** When it began, in epoch milliseconds. */
  readonly at: number;
  /** `revision 8 after 7: image of web from a:1 to a:2`. */
  readonly text: string;
}

/** The newest revision of a Deployment and what differs from the one before, as its ReplicaSets say. */
export function newestRevision(object: KubernetesObject, view: ClusterView): Revision | undefined {
  const [newest, before] = listRevisions(object, view);
  const at = timeAt(newest, "metadata", "creationTimestamp");
  if (newest === undefined || at === undefined) return undefined;
  const differences = before === undefined ? [] : listDifferences(before, newest);
  return {
    set: newest,
    before,
    at,
    text:
      before === undefined
        ? `revision ${revisionOf(newest)}, the only one that is kept`
        : `revision ${revisionOf(newest)} after ${revisionOf(before)}: ${differences.join("; ") || "the template differs in what was not compared"}`,
  };
}

/** The revisions of a Deployment that its ReplicaSets keep, the newest first. */
export function listRevisions(
  object: KubernetesObject | undefined,
  view: ClusterView,
): readonly KubernetesObject[] {
  return object === undefined
    ? []
    : view
        .owned(object)
        .filter(({ kind }) => kind === "ReplicaSet")
        .toSorted((a, b) => revisionOf(b) - revisionOf(a));
}

/** The number of the revision that a ReplicaSet keeps. */
export function revisionOf({ metadata }: KubernetesObject): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
}

const fields = [
  "command",
  "args",
  "envFrom",
  "ports",
  "readinessProbe",
  "livenessProbe",
  "startupProbe",
  "volumeMounts",
  "securityContext",
] as const;

/** Images, variables, arguments, probes and resources that differ between two templates, by container. */
function listDifferences(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  const containers = (set: KubernetesObject) =>
    listAt(set, "spec", "template", "spec", "containers");
  return containers(after).flatMap((container) => {
    const name = textAt(container, "name") ?? "a container";
    const old = containers(before).find((one) => textAt(one, "name") === name);
    if (old === undefined)
      return [`container ${name} is new, image ${textAt(container, "image") ?? "?"}`];
    const image = textAt(container, "image");
    const oldImage = textAt(old, "image");
    const changed = fields.filter(
      (field) =>
        JSON.stringify(recordAt(container)[field]) !== JSON.stringify(recordAt(old)[field]),
    );
    return [
      ...(image === oldImage
        ? []
        : [`image of ${name} from ${oldImage ?? "?"} to ${image ?? "?"}`]),
      ...variables(name, old, container),
      ...resources(name, old, container),
      ...(changed.length === 0 ? [] : [`${changed.join(", ")} of ${name}`]),
    ];
  });
}

/** Requests and limits that differ, with both values: `memory limit of web from 512Mi to 256Mi`. */
function resources(container: string, before: unknown, after: unknown): readonly string[] {
  return (["limits", "requests"] as const).flatMap((part) => {
    const old = recordAt(before, "resources", part);
    const now = recordAt(after, "resources", part);
    return [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((name) => old[name] !== now[name])
      .map(
        (name) =>
          `${name} ${part.slice(0, -1)} of ${container} from ${String(old[name] ?? "none")} to ${String(now[name] ?? "none")}`,
      );
  });
}

/** Variables that were added, dropped or set otherwise, by name only. */
function variables(container: string, before: unknown, after: unknown): readonly string[] {
  const old = named(before);
  const now = named(after);
  const parts = [
    ["without", [...old.keys()].filter((name) => !now.has(name))],
    ["with new", [...now.keys()].filter((name) => !old.has(name))],
    [
      "with another",
      [...now].flatMap(([name, value]) => (old.has(name) && old.get(name) !== value ? [name] : [])),
    ],
  ] as const;
  const texts = parts.flatMap(([word, names]) =>
    names.length === 0 ? [] : [`${word} ${names.slice(0, 6).join(", ")}`],
  );
  return texts.length === 0 ? [] : [`env of ${container} ${texts.join(", ")}`];
}

function named(container: unknown): ReadonlyMap<string, string> {
  return new Map(
    listAt(container, "env").map((one) => [textAt(one, "name") ?? "?", JSON.stringify(one)]),
  );
}
