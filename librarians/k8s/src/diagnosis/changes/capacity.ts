import { listAt, numberAt, recordAt, textAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Finding } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { findPodSpec } from "../pod-spec.js";
import { parseQuantity } from "../quantity.js";
import { findTopOwner } from "../top-of.js";
import {
  type Change,
  findTemplateContainer,
  patch,
  setField,
  templatePath,
  textOf,
} from "./patch.js";

/** A memory limit that is too low, doubled. */
export function doubleMemory(one: Finding, view: ClusterView): Change | undefined {
  const found = findTemplateContainer(one, view);
  const limit = textAt(found?.spec, "resources", "limits", "memory");
  const bytes = parseQuantity(limit);
  if (found === undefined || bytes === undefined) return undefined;
  return setField(
    found.top,
    [...found.path, "resources", "limits", "memory"],
    `resources.limits.memory is ${limit ?? ""}, which is too low for what it does; try twice as much, or make the program use less`,
    `${Math.ceil((bytes * 2) / 2 ** 20)}Mi`,
  );
}

/** "exceeded quota: q, requested: limits.memory=1Gi, used: limits.memory=3Gi, limited: limits.memory=4Gi" */
const exceeded =
  /exceeded quota: ([a-z0-9.-]{1,253}), requested: (\S{1,500}), used: (\S{1,500}), limited: (\S{1,500})/i;

/** A quota, raised by what one more pod wants, or a limit that a LimitRange forbids. */
export function raiseQuota(one: Finding, view: ClusterView): Change | undefined {
  const [, name = "", requested = "", used = "", limited = ""] = exceeded.exec(textOf(one)) ?? [];
  const quota = view.get("ResourceQuota", one.object.metadata.namespace, name);
  if (quota === undefined) return limitWithinRange(one, view);
  const read = (text: string) =>
    new Map(text.split(",").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]));
  const [asked, taken, hard] = [
    read(requested),
    read(used),
    read(limited.replace(/[."\\]{1,3}$/, "")),
  ];
  const pairs = [...asked].flatMap(([key, value]) => {
    const sum = (parseQuantity(value) ?? 0) + (parseQuantity(taken.get(key)) ?? 0);
    return sum > 0 ? [[key, printLike(sum, hard.get(key) ?? value)] as const] : [];
  });
  return patch(
    quota,
    `spec.hard of ResourceQuota ${name} is ${limited}, with ${used} used and ${requested} wanted for each more pod; raise it, or want less`,
    { spec: { hard: Object.fromEntries(pairs) } },
    {
      spec: {
        hard: Object.fromEntries(
          pairs.map(([key]) => [key, recordAt(quota, "spec", "hard")[key] ?? null]),
        ),
      },
    },
  );
}

/** A quantity in the unit of another one. */
function printLike(value: number, example: string): string {
  if (/[KMGT]i$/.test(example)) return `${Math.ceil(value / 2 ** 20)}Mi`;
  return Number.isInteger(value) ? String(value) : `${Math.ceil(value * 1_000)}m`;
}

/** A LimitRange allows less or more than a container has. */
export const limitRefusal = /\b(?:max|min)imum \w{1,30} usage per\b/i;
/** "maximum memory usage per Container is 2Gi, but limit is 3Gi" */
const overRange =
  / (cpu|memory) usage per (?:Container|Pod) is (\w{1,20}), but limit is (\w{1,20})/;

function limitWithinRange(one: Finding, view: ClusterView): Change | undefined {
  const [, written = "", most = "", limit = ""] = overRange.exec(textOf(one)) ?? [];
  const resource = written.toLowerCase();
  const top = findTopOwner(one.object, view);
  const root = templatePath(top);
  const containers = listAt(findPodSpec(top), "containers");
  const index = containers.findIndex(
    (each) =>
      parseQuantity(recordAt(each, "resources", "limits")[resource]) === parseQuantity(limit),
  );
  if (resource === "" || index < 0 || root === undefined) return undefined;
  const resources = recordAt(containers[index], "resources");
  const { [resource]: requested } = recordAt(resources, "requests");
  const isOver =
    (parseQuantity(requested) ?? 0) > (parseQuantity(most) ?? Number.POSITIVE_INFINITY);
  const changed = {
    ...resources,
    limits: { ...recordAt(resources, "limits"), [resource]: most },
    // A request may not be larger than its limit.
    ...(isOver && { requests: { ...recordAt(resources, "requests"), [resource]: most } }),
  };
  const path = [...root, "containers", index, "resources"];
  return setField(
    top,
    isOver ? path : [...path, "limits", resource],
    `the limit of ${resource} is ${limit}, and a LimitRange allows ${most}`,
    isOver ? changed : most,
  );
}

/** A disruption budget that allows no eviction, loosened by one pod; of two with the same pods, one is left. */
export function allowDisruption({ object, others }: Finding): Change | undefined {
  const [other] = others;
  if (other !== undefined) {
    const [command] =
      kubectl`delete poddisruptionbudget ${other.metadata.name}${option("-n", other.metadata.namespace)}`;
    const what = `spec.selector of PodDisruptionBudget ${object.metadata.name} and of ${other.metadata.name} take the same pods; a pod may have one, so one of the two goes`;
    return command === undefined ? undefined : { what, command, undo: undefined };
  }
  const maxUnavailable = valueAt(object, "spec", "maxUnavailable");
  if (maxUnavailable === 0 || maxUnavailable === "0%")
    return setField(
      object,
      ["spec", "maxUnavailable"],
      `spec.maxUnavailable is ${maxUnavailable}, so none may be evicted`,
      1,
    );
  const minAvailable = valueAt(object, "spec", "minAvailable");
  const healthy =
    numberAt(object, "status", "currentHealthy") ?? numberAt(object, "status", "expectedPods");
  if (minAvailable === undefined || healthy === undefined || healthy < 1) return undefined;
  return patch(
    object,
    `spec.minAvailable is ${String(minAvailable)}, with ${healthy} healthy pods, so none may be evicted`,
    { spec: { minAvailable: Math.max(0, healthy - 1) } },
    { spec: { minAvailable } },
  );
}
