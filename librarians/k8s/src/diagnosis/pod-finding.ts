import type { ClusterEvent, KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt, valueAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import type { ContainerState, Termination } from "./container-state.js";
import { type Evidence, fieldEvidence } from "./evidence.js";
import { clause, defined, type FactValues, type LogWish, type Shown } from "./finding.js";
import { kubectl, option } from "./kubectl.js";
import { toObjectId } from "./object-id.js";

/** Observed values of a container, as facts name them. What is not known is left out. */
export function containerValues(container: ContainerState, pod: KubernetesObject): FactValues {
  const ended = container.terminated ?? container.last;
  return defined({
    phase: textAt(pod, "status", "phase"),
    container: container.name === "" ? undefined : container.name,
    image: container.image,
    restart_count: container.restarts,
    waiting_reason: container.waiting?.reason,
    termination_reason: ended?.reason === "" ? undefined : ended?.reason,
    exit_code: ended?.exitCode,
    memory_limit: quantity(container, "limits", "memory"),
    memory_request: quantity(container, "requests", "memory"),
    cpu_limit: quantity(container, "limits", "cpu"),
    node: textAt(pod, "spec", "nodeName"),
  });
}

/** A limit or request, with its unit as it was given. */
export function quantity(
  container: ContainerState,
  which: "limits" | "requests",
  resource: string,
): string | undefined {
  const value = valueAt(container.spec, "resources", which, resource);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** How a container ended, where it stands. */
export function endEvidence(
  pod: KubernetesObject,
  { path }: ContainerState,
  ended: Termination | undefined,
): Evidence | undefined {
  if (ended === undefined) return undefined;
  const { reason, exitCode, message, finishedAt } = ended;
  const parts = [
    clause("reason ", reason),
    clause("exitCode ", exitCode?.toString()),
    finishedAt === undefined ? "" : `finishedAt ${new Date(finishedAt).toISOString()}`,
    clause('message "', message, '"'),
  ].filter((part) => part !== "");
  return fieldEvidence(pod, `${path}.${ended.path}`, parts.join(", ") || "terminated", finishedAt);
}

/** Why a container waits, where it stands. */
export function waitEvidence({ path, waiting }: ContainerState): Shown {
  return [`${path}.state.waiting`, waiting && `${waiting.reason}: ${waiting.message}`];
}

/** The newest event of a pod with one of these reasons that speaks of a container, or of none. */
export function podEvent(
  view: ClusterView,
  pod: KubernetesObject,
  reasons: readonly string[],
  container: string,
  wanted: RegExp = /./s,
): ClusterEvent | undefined {
  return view
    .events(pod)
    .find(
      ({ reason, message, involved }) =>
        reasons.includes(reason) &&
        wanted.test(`${reason} ${message}`) &&
        (container === "" ||
          involved.fieldPath === undefined ||
          involved.fieldPath.includes(`{${container}}`)),
    );
}

/** The log to read for a container: of the run before, when it was restarted. */
export function logWish(
  pod: KubernetesObject,
  { name, restarts, isRunning, terminated }: ContainerState,
): readonly LogWish[] {
  const { namespace } = pod.metadata;
  if (namespace === undefined) return [];
  const where = { namespace, pod: pod.metadata.name, container: name === "" ? undefined : name };
  const previous = restarts > 0 && (isRunning || terminated === undefined);
  return [{ ...where, previous }];
}

/** The command that shows a log. */
export function logCommand(
  pod: KubernetesObject,
  { name, restarts }: ContainerState,
): readonly string[] {
  const where = [option("-n", pod.metadata.namespace), option("-c", name || undefined)] as const;
  return restarts > 0
    ? kubectl`logs ${pod.metadata.name}${where[0]}${where[1]} --previous`
    : kubectl`logs ${pod.metadata.name}${where[0]}${where[1]}`;
}

/** Siblings with the same failure of the same container are one finding. */
export function siblingKey(
  view: ClusterView,
  pod: KubernetesObject,
  ...parts: readonly string[]
): string {
  const owner = view.owner(pod);
  const reference = textAt(pod, "metadata", "ownerReferences", 0, "name");
  const top =
    owner === undefined ? (pod.kind === "Pod" ? undefined : pod) : (view.owner(owner) ?? owner);
  return [
    top === undefined
      ? `${pod.metadata.namespace}/${reference ?? toObjectId(pod)}`
      : toObjectId(top),
    ...parts,
  ].join("|");
}
