import type { KubernetesObject } from "../cluster/cluster-reader.js";

/** Names an object as sources do: `shop/Pod/api-1`, `Node/n1`. */
export function toObjectId(object: KubernetesObject): string {
  const { name, namespace } = object.metadata;
  return idFrom(object.kind, namespace, name);
}

/** As {@link toObjectId}, of parts. */
export function idFrom(kind: string, namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === ""
    ? `${kind}/${name}`
    : `${namespace}/${kind}/${name}`;
}

/** Names an object as ADR-041's `target_resource`: with the API group where it is not the core one. */
export function toQualifiedName(object: KubernetesObject): string {
  const { name, namespace } = object.metadata;
  const [group = "", version] = object.apiVersion.split("/");
  return namespace === undefined || namespace === "" || version === undefined
    ? toObjectId(object)
    : `${namespace}/${group}/${object.kind}/${name}`;
}

/** A resource as ADR-041 writes it. */
export interface ResourceName {
  readonly namespace?: string;
  readonly group?: string;
  readonly kind: string;
  readonly name: string;
}

/** Reads `kind/name`, `namespace/kind/name` or `namespace/group/kind/name`. A leading slash is not a namespace. */
export function parseResource(text: string): ResourceName | undefined {
  const parts = text.split("/").filter((part, index) => index > 0 || part !== "");
  if (parts.some((part) => !/^[\w.:-]+$/.test(part))) return undefined;
  const [first = "", second = "", third = "", fourth = ""] = parts;
  if (parts.length === 2) return { kind: first, name: second };
  if (parts.length === 3) return { namespace: first, kind: second, name: third };
  if (parts.length === 4) return { namespace: first, group: second, kind: third, name: fourth };
  return undefined;
}

/** Writes a resource as it was read. */
export function printResource({ namespace, group, kind, name }: ResourceName): string {
  return [namespace, group, kind, name].filter((part) => part !== undefined).join("/");
}

/** ADR-041's `component`: the kind in lower case. */
export function toComponentName(kind: string): string {
  return (kind.split("/").at(-1) ?? kind).toLowerCase();
}
