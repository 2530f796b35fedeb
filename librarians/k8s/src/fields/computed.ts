import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, timeAt, valueAt } from "../cluster/fields.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { quote } from "../diagnosis/quote.js";
import { isReady } from "../diagnosis/ready.js";
import { printSelector } from "../diagnosis/selector.js";
import { getProgram } from "../question/images.js";
import { backendLines, policyLines, routeLines, runLines } from "./between.js";
import { printLeaf, printVariable } from "./leaves.js";
import { findPods, podsBelow } from "./pods-of.js";
import { describeState } from "./state-of.js";
import { shownBy } from "./states.js";
import { printValue } from "./template.js";

/** Maximum number of characters of a variable in a list of them. */
const maxVariable = 80;
/** Maximum number of characters of a command line. */
const maxCommand = 600;

/** What is computed of a field, from several fields or several objects: an amount or text, and clauses. */
export interface Computed {
  read?(object: KubernetesObject, view: ClusterView): number | string | undefined;
  /** Undefined where the row of the field has it all. */
  lines?(object: KubernetesObject, view: ClusterView): readonly string[] | undefined;
  /** What a list says of an object beside the value. */
  describe?(object: KubernetesObject, view: ClusterView): string;
}

/** Fields that the table has only the words of, by their names. */
export const computed: Readonly<Record<string, Computed>> = {
  restarts: {
    read: (object, view) => {
      const containers = findPods(object, view).flatMap(readContainers);
      return containers.length === 0
        ? undefined
        : containers.reduce((sum, { restarts }) => sum + restarts, 0);
    },
    describe: (object, view) => shownBy(object, "restarted", view),
  },
  "ready endpoints": {
    read: (object, view) =>
      ["Service", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"].includes(object.kind)
        ? findPods(object, view).filter(isReady).length
        : undefined,
  },
  pods: {
    read: (object, view) => (object.kind === "Pod" ? undefined : podsBelow(object, view).length),
  },
  node: {
    read: (object, view) => {
      const nodes = findPods(object, view).flatMap((pod) => textAt(pod, "spec", "nodeName") ?? []);
      return [...new Set(nodes)].sort().join(", ");
    },
    lines: (object, view) =>
      findPods(object, view).map((pod) => {
        const node = textAt(pod, "spec", "nodeName");
        return `pod ${pod.metadata.name} ${node === undefined ? "has no node yet" : `runs on node ${node}`}`;
      }),
  },
  resources: {
    lines: (object, view) =>
      object.kind === "ResourceQuota" ? [describeState(object, view)] : undefined,
  },
  ports: {
    lines: (object, view) => (object.kind === "Ingress" ? routeLines(object, view) : undefined),
  },
  backend: { lines: backendLines },
  policy: { lines: policyLines },
  run: { lines: runLines },
  age: {
    lines: (object, view) => {
      const created = timeAt(object, "metadata", "creationTimestamp");
      return created === undefined
        ? []
        : [
            `was created ${printMoment(created, view.now)} UTC, ${printDuration(view.now - created)} ago`,
            ...findPods(object, view).flatMap((pod) => {
              const started = timeAt(pod, "status", "startTime");
              return started === undefined
                ? []
                : [`pod ${pod.metadata.name} started ${printDuration(view.now - started)} ago`];
            }),
          ];
    },
  },
  environment: {
    lines: (object) =>
      containersOf(object).map(({ name, container }) => {
        const variables = [
          ...listAt(container, "env").map(
            (one) => `${textAt(one, "name") ?? "?"}=${quote(printVariable(one), maxVariable)}`,
          ),
          ...listAt(container, "envFrom").map(
            (one) =>
              `all of ${textAt(one, "configMapRef", "name") ?? textAt(one, "secretRef", "name") ?? "?"}`,
          ),
        ];
        return `container ${name}: ${variables.join(", ") || "no variables"}`;
      }),
  },
  command: {
    lines: (object) =>
      containersOf(object).map(({ name, container }) => {
        const parts = [...listAt(container, "command"), ...listAt(container, "args")];
        return `container ${name} runs ${parts.length === 0 ? "what its image says" : printLeaf(parts, maxCommand, getProgram(container))}`;
      }),
  },
  labels: {
    lines: (object) => {
      const selector = recordAt(object, "spec", "selector");
      const isPlain = !("matchLabels" in selector) && !("matchExpressions" in selector);
      return [
        `labels ${printValue(object.metadata.labels ?? {}) || "none"}`,
        ...(valueAt(object, "spec", "selector") === undefined
          ? []
          : [`selector ${isPlain ? printValue(selector) : printSelector(selector)}`]),
      ];
    },
  },
  image: { lines: printImages },
};

function containersOf(object: KubernetesObject) {
  const spec = findPodSpec(object);
  return [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].map((container) => ({
    container,
    name: textAt(container, "name") ?? "a container",
  }));
}

/** Images of its containers; where its pods run several versions of them, as in the middle of a rollout, those. */
function printImages(object: KubernetesObject, view: ClusterView): readonly string[] {
  const running = new Map<string, number>();
  for (const pod of object.kind === "Pod" ? [] : findPods(object, view))
    for (const container of listAt(pod, "spec", "containers")) {
      const image = textAt(container, "image") ?? "?";
      running.set(image, (running.get(image) ?? 0) + 1);
    }
  const own = containersOf(object).flatMap(({ container }) => textAt(container, "image") ?? []);
  if (own.length === 0) return [];
  return running.size > new Set(own).size
    ? [
        `runs ${running.size} images now: ${[...running].map(([image, pods]) => `${image} (${pods} ${pods === 1 ? "pod" : "pods"})`).join(", ")}`,
      ]
    : [`runs ${own.join(", ")}`];
}
