import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, textAt } from "../cluster/fields.js";
import { isKindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { isImage } from "../question/images.js";
import { stateIn } from "../question/state-words.js";
import { toWords } from "../question/words.js";
import { idsIn, isInState, stateNames } from "./in-state.js";
import { cut, type LookedUp, type LookupScope } from "./lookup-scope.js";
import { code } from "./markdown.js";
import { narrowed } from "./narrow.js";
import { describeState } from "./state-of.js";
import { plurals, unread } from "./unread.js";

/** Kinds that run something, for questions without a kind: "what runs in shop?" */
const running = ["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "Pod"];

/** Counts or lists things of the kinds that a question names, all of them or those in a state. */
export function listed(
  lookup: "count" | "list",
  { subject, objects, kinds: asked, named, names, query, findings }: LookupScope,
  view: ClusterView,
): LookedUp {
  const nodes = named.flatMap(({ kind, metadata }) => (kind === "Node" ? [metadata.name] : []));
  const isPods = nodes.length > 0 && asked.every((kind) => kind === "Node" || kind === "Pod");
  const images = toWords(query).filter(isImage);
  const isAnyKind = asked.length === 0 && !isPods && images.length === 0;
  const kinds =
    isPods || (images.length > 0 && asked.length === 0) ? ["Pod"] : isAnyKind ? running : asked;
  const type = kinds.includes("Service") ? serviceTypeIn(query) : undefined;
  const ofType = (object: KubernetesObject) =>
    type === undefined ||
    object.kind !== "Service" ||
    (textAt(object, "spec", "type") ?? "ClusterIP") === type;
  const whole = isPods
    ? view.list("Pod").filter((pod) => nodes.includes(textAt(pod, "spec", "nodeName") ?? ""))
    : objects.filter(
        (object) =>
          kinds.includes(object.kind) &&
          !isTrace(object) &&
          // A workload represents the objects that belong to it.
          (!isAnyKind || findTopOwner(object, view) === object) &&
          ofType(object) &&
          (images.length === 0 || runsOne(object, images)),
      );
  // Names in the question select the listed objects, so they do not narrow the list again.
  const words = named.length > 0 ? [] : names;
  const { objects: all, by } = narrowed(whole, { query, names: words }, view);
  // "Which pods run this image?" asks for no state.
  const said = stateIn(query);
  const isPlainRun = images.length > 0 || by.length > 0 || isAnyKind;
  const state = isPlainRun && said === "running" ? undefined : said;
  const broken = idsIn(findings);
  const inState =
    state === undefined ? [] : all.map((one) => isInState(one, state, { view, query, broken }));
  const isFiltered = state !== undefined && inState.some((one) => one !== undefined);
  const found = isFiltered ? all.filter((_, index) => inState[index] === true) : all;
  const counts = kinds.flatMap((kind) => {
    const some = found.filter((one) => one.kind === kind);
    if (some.length === 0 && kinds.length > 1) return [];
    return isFiltered
      ? [
          `${some.length} of ${all.filter((one) => one.kind === kind).length} ${kind} ${stateNames[state]}`,
        ]
      : [
          `${some.length} ${kind}${type !== undefined && kind === "Service" ? ` of type ${type}` : ""}${phases(some)}`,
        ];
  });
  const lacking = kinds.filter(isKindName).filter((kind) => unread([kind], view));
  if (found.length === 0 && lacking.length > 0)
    return {
      head: `${subject}: not known, as ${plurals(lacking)} were not read.`,
      by,
      lines: [],
      objects: [],
      isUnread: true,
    };
  return {
    head: `${subject}: ${counts.join(", ") || "none was found"}${by.length === 0 ? "" : ` by ${by.map((one) => `"${one}"`).join(", ")}, of ${whole.length}`}.`,
    by,
    lines:
      lookup === "count" && found.length === whole.length
        ? []
        : cut(found.map((object) => `${code(toObjectId(object))}: ${describeState(object, view)}`)),
    objects: found,
  };
}

/** True for what runs one of these images; a name without tag or digest is that of all of them. */
function runsOne(object: KubernetesObject, images: readonly string[]): boolean {
  const own = listImages(object);
  return images.some((image) =>
    own.some((one) => one === image || one.startsWith(`${image}:`) || one.startsWith(`${image}@`)),
  );
}

function listImages(object: KubernetesObject): readonly string[] {
  const spec = findPodSpec(object);
  return [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].flatMap(
    (container) => textAt(container, "image") ?? [],
  );
}

/** Types of a Service as people write them. */
const serviceTypes: readonly (readonly [RegExp, string])[] = [
  [/\bload ?balancers?\b/i, "LoadBalancer"],
  [/\bnode ?ports?\b/i, "NodePort"],
  [/\bcluster ?ips?\b/i, "ClusterIP"],
  [/\bexternal ?names?\b/i, "ExternalName"],
];

/** The type of Service that a question lists or counts. */
function serviceTypeIn(query: string): string | undefined {
  return serviceTypes.find(([form]) => form.test(query))?.[1];
}

/** ` (6 Running, 1 Pending)`, for objects with phases. */
function phases(objects: readonly KubernetesObject[]): string {
  const counts = new Map<string, number>();
  for (const object of objects) {
    const phase = textAt(object, "status", "phase");
    if (phase !== undefined) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  const ready = objects.filter(
    (one) =>
      (numberAt(one, "status", "readyReplicas") ?? 0) >= (numberAt(one, "spec", "replicas") ?? 1),
  ).length;
  if (counts.size === 0)
    return objects[0]?.kind === "Deployment" || objects[0]?.kind === "StatefulSet"
      ? ` (${ready} with all replicas ready)`
      : "";
  return ` (${[...counts].map(([phase, number]) => `${number} ${phase}`).join(", ")})`;
}
