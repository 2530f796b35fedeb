import { isRecord, textAt } from "../cluster/fields.js";
import { isKindName } from "../cluster/kinds.js";

/** An object that another one names. */
export interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly at: string;
  readonly clusterScoped?: boolean;
}

/** As {@link Reference}, where the spec may give its namespace, and may give no kind but a word for it. */
interface NamedThing {
  /** Empty where only `word` reports it. */
  readonly kind: string;
  /** Word of the field for the kind: `gateways` and `gatewayRef` are both `gateway`. */
  readonly word: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly at: string;
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
const maxDepth = 8;
const maxFound = 20;
/** A name, maybe behind its namespace. */
const nameForm =
  /^(?:([a-z0-9][a-z0-9-]{0,61}[a-z0-9])\/)?([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)$/;

/** Every name in a spec that a field or a kind beside it tells the sort of. */
export function listNamedThings(spec: unknown): readonly NamedThing[] {
  const found: NamedThing[] = [];
  const add = (field: string, one: unknown, at: string) => {
    const isText = typeof one === "string";
    const text = isText ? one : textAt(one, "name");
    const given = textAt(one, "kind");
    const [, place, name] = nameForm.exec(text ?? "") ?? [];
    const isNamed = isText || /Refs?$/.test(field) || isKindName(given ?? "");
    if (name === undefined || !isNamed) return;
    const kind = given ?? fieldKinds.find(([pattern]) => pattern.test(field))?.[1] ?? "";
    const word = field.replace(/(?:Refs?|Names?|s)$/, "").toLowerCase();
    found.push({ kind, word, namespace: textAt(one, "namespace") ?? place, name, at });
  };
  const visit = (field: string, value: unknown, at: string, depth: number) => {
    if (depth > maxDepth || found.length >= maxFound) return;
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(field, one, `${at}[${index}]`, depth + 1);
      return;
    }
    add(field, value, at);
    if (!isRecord(value)) return;
    for (const [key, one] of Object.entries(value)) visit(key, one, `${at}.${key}`, depth + 1);
  };
  visit("spec", spec, "spec", 0);
  return found;
}

/** Names of the object's own namespace whose kind is known, wherever they are in a spec. */
export function customReferences(spec: unknown): readonly Reference[] {
  return listNamedThings(spec)
    .filter(({ kind, namespace }) => kind !== "" && namespace === undefined)
    .map(({ kind, name, at }) => ({
      kind,
      name,
      at,
      clusterScoped: /^Cluster|Class$/.test(kind),
    }));
}
