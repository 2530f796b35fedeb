import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { getImageTag, tagIn } from "../question/images.js";
import { cut, type LookedUp, type LookupScope } from "./lookup-scope.js";
import { code } from "./markdown.js";

/** Where containers are in an object of each kind. */
function containerSpecs(object: KubernetesObject): readonly unknown[] {
  const spec =
    object.kind === "Pod"
      ? ["spec"]
      : object.kind === "CronJob"
        ? ["spec", "jobTemplate", "spec", "template", "spec"]
        : ["spec", "template", "spec"];
  return [...listAt(object, ...spec, "initContainers"), ...listAt(object, ...spec, "containers")];
}

const workloads = ["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "Pod"];

/** Images of what a question names, of everything, or of those with a tag that it names. */
export function lookupImages({ subject, objects, named, query }: LookupScope): LookedUp {
  const tag = tagIn(query);
  const running = named.length === 0 ? [] : runningImages(objects);
  if (running.length > 1)
    return {
      head: `${subject} runs ${running.length} images now: ${running
        .map(({ image, pods }) => `${image} (${pods.length} ${pods.length === 1 ? "pod" : "pods"})`)
        .join(", ")}.`,
      lines: cut(
        running.flatMap(({ image, pods }) =>
          pods.map((pod) => `${code(toObjectId(pod))}: ${code(image)}`),
        ),
      ),
      objects: [...named, ...running.flatMap(({ pods }) => pods)],
    };
  const inScope = (named.length > 0 ? named : objects).filter(({ kind }) =>
    workloads.includes(kind),
  );
  const own = new Set(inScope.map(({ kind }) => kind));
  // Pods repeat what their workload says.
  const shown =
    own.size > 1 && named.length === 0 ? inScope.filter(({ kind }) => kind !== "Pod") : inScope;
  const found = (shown.length > 0 ? shown : objects.filter(({ kind }) => workloads.includes(kind)))
    .map((object) => ({
      object,
      images: containerSpecs(object)
        .flatMap((one) => textAt(one, "image") ?? [])
        .filter((image) => tag === undefined || getImageTag(image) === tag),
    }))
    .filter(({ images }) => images.length > 0);
  const [first] = found;
  return {
    head:
      tag !== undefined
        ? `${subject}: ${found.length} ${found.length === 1 ? "workload runs" : "workloads run"} an image with tag ${tag}.`
        : found.length === 1 && first !== undefined
          ? `${toObjectId(first.object)} runs ${first.images.join(", ")}.`
          : `${subject}: images of ${found.length} workloads.`,
    lines:
      found.length === 1 && tag === undefined
        ? []
        : cut(
            found.map(
              ({ object, images }) => `${code(toObjectId(object))}: ${images.map(code).join(", ")}`,
            ),
          ),
    objects: found.map(({ object }) => object),
  };
}

/** Images of one container that its pods run in several versions, as in the middle of a rollout. */
function runningImages(objects: readonly KubernetesObject[]) {
  const found = new Map<string, Map<string, KubernetesObject[]>>();
  for (const pod of objects.filter(({ kind }) => kind === "Pod")) {
    for (const container of containerSpecs(pod)) {
      const image = textAt(container, "image");
      if (image === undefined) continue;
      const name = textAt(container, "name") ?? "";
      const images = found.get(name) ?? new Map<string, KubernetesObject[]>();
      found.set(name, images.set(image, [...(images.get(image) ?? []), pod]));
    }
  }
  return [...found.values()]
    .filter((images) => images.size > 1)
    .flatMap((images) => [...images].map(([image, pods]) => ({ image, pods })));
}
