import { redactSecrets } from "@constellation/authoring";
import { dump } from "js-yaml";
import { cannotTell, type LookedUp } from "../answer/forms.js";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { readOwnFields } from "../cluster/own-fields.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { redactedItems } from "../fields/leaves.js";

/** Maximum number of characters of a manifest. */
const maxManifest = 3_400;

/** An object as YAML, without what is secret in it. */
export function printManifest(object: KubernetesObject | undefined): LookedUp {
  if (object === undefined) return cannotTell("The manifest", "nothing of that name was read");
  const { kind, apiVersion, metadata, ...rest } = { ...object, ...readOwnFields(object) };
  const { managedFields: _, ...own } = metadata as typeof metadata & {
    readonly managedFields?: unknown;
  };
  const { isTrace: __, ...parts } = rest as typeof rest & { readonly isTrace?: unknown };
  const text = redactSecrets(
    dump(withoutSecrets({ apiVersion, kind, metadata: own, ...parts }), {
      lineWidth: 140,
      noRefs: true,
      skipInvalid: true,
    }),
    { maxLength: 200_000 },
  );
  const lines = text.trimEnd().split("\n");
  let shown = 0;
  let length = 0;
  while (shown < lines.length && length + (lines[shown]?.length ?? 0) < maxManifest) {
    length += (lines[shown]?.length ?? 0) + 1;
    shown++;
  }
  const left = lines.length - shown;
  return {
    head: `The manifest of ${toObjectId(object)}, as it was read${left > 0 ? `; ${left} more lines are not shown` : ""}`,
    lines: [],
    block: lines.slice(0, shown).join("\n"),
    objects: [object],
  };
}

/** A copy in which a secret behind its flag, in a command line, is hidden. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every((one) => typeof one === "string")
      ? redactedItems(value)
      : value.map(withoutSecrets);
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutSecrets(one)]))
    : value;
}
