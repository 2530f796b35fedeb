import { recordAt, textAt } from "../cluster/fields.js";
import { isKindName } from "../cluster/kinds.js";

/** An object that another one names. */
export interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly at: string;
  readonly clusterScoped?: boolean;
}

/** What the names of fields say that they name, in any kind of an extension. */
const fieldKinds: readonly (readonly [RegExp, string])[] = [
  [/^secret(?:Name|Ref|KeyRef)$/i, "Secret"],
  [/^config-?map(?:Name|Ref|KeyRef)$/i, "ConfigMap"],
  [/^serviceAccount(?:Name|Ref)?$/i, "ServiceAccount"],
  [/^storageClass(?:Name)?$/i, "StorageClass"],
  [/^(?:persistentVolume)?claimName$/i, "PersistentVolumeClaim"],
  [/^service(?:Name|Ref)$/i, "Service"],
];

/** Names under fields that end like a reference, wherever they are in a spec. */
export function customReferences(spec: unknown): readonly Reference[] {
  const found: Reference[] = [];
  const visit = (value: unknown, at: string, depth: number) => {
    if (depth > 8 || found.length > 20) return;
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, `${at}[${index}]`, depth + 1);
      return;
    }
    for (const [field, one] of Object.entries(recordAt(value))) {
      const place = `${at}.${field}`;
      const name = typeof one === "string" ? one : textAt(one, "name");
      const named = textAt(one, "kind");
      const isReference =
        typeof one === "string" || /Refs?$/.test(field) || isKindName(named ?? "");
      const kind = named ?? fieldKinds.find(([pattern]) => pattern.test(field))?.[1];
      const isElsewhere = textAt(one, "namespace") !== undefined;
      if (name !== undefined && isReference && kind !== undefined && !isElsewhere)
        found.push({ kind, name, at: place, clusterScoped: /^Cluster|Class$/.test(kind) });
      if (typeof one === "object") visit(one, place, depth + 1);
    }
  };
  visit(spec, "spec", 0);
  return found;
}
