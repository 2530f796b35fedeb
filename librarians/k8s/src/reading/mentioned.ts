import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Surroundings } from "../surroundings.js";
import { attachments } from "./plan.js";

/** Kinds that are about another object, which their spec names. */
const about = [
  "VolumeAttachment",
  "CustomResource",
  "VirtualService",
  "ScaledObject",
  "Ingress",
] as const;
/** Letters of a name that a longer one must have to be taken for it: `orders-db` in `pvc-orders-db`. */
const minPart = 6;
const maxDepth = 6;
/** Maximum number of objects that represent what was not recorded. */
const maxObjects = 3;

/**
 * Takes what names the thing for it, where a question names something that was not recorded: the attachment of its volume,
 * the Ingress that serves its certificate, or what an extension does with it.
 */
export async function pinMentioning(around: Surroundings): Promise<void> {
  if (around.namespace !== undefined) return;
  await around.widen(attachments);
  const objects = mentioning(around.named.names, around.now.view);
  if (objects.length > 0) around.pin({ kind: "objects", objects, guessed: true });
}

/** Objects that name, in their spec, what a question names and nothing that was read is called. */
function mentioning(names: readonly string[], view: ClusterView): readonly KubernetesObject[] {
  return about
    .flatMap((kind) => view.list(kind))
    .filter((object) => names.some((name) => isNamedIn(name, object.spec)))
    .slice(0, maxObjects);
}

function isNamedIn(name: string, value: unknown, depth = 0): boolean {
  if (typeof value === "string")
    return value === name || (name.length >= minPart && value.endsWith(`-${name}`));
  if (depth > maxDepth || typeof value !== "object" || value === null) return false;
  const values = Array.isArray(value) ? value : Object.values(recordAt(value));
  return values.some((one) => isNamedIn(name, one, depth + 1));
}
