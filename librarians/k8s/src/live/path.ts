import type { SelectOptions } from "../cluster/cluster-reader.js";
import { getKind, type KindName } from "../cluster/kinds.js";

/** The path of a kind's list. */
export function createListPath(kind: KindName, namespace: string | undefined): string {
  const { group, version, plural } = getKind(kind);
  return pathTo(group === "" ? `/api/${version}` : `/apis/${group}/${version}`, plural, namespace);
}

/** The path of a list below an API. */
export function pathTo(api: string, plural: string, namespace: string | undefined): string {
  const place = namespace === undefined ? "" : `/namespaces/${segment(namespace)}`;
  return `${api}${place}/${plural}`;
}

/**
 * A name as one segment of a path, which leads nowhere else. No object is called like a step in a path
 * (a URL resolves `%2E%2E` too) or like nothing, so such a name becomes one that is never found.
 */
export function segment(name: string): string {
  return /^\.{0,2}$/.test(name) ? "%20" : encodeURIComponent(name);
}

/**
 * Selectors as the API writes them. Names and labels hold none of its signs. What is selected comes from the server's cache
 * (version 0): else the server reads every object of the kind from its store for it.
 */
export function createListQuery({
  labels = {},
  name,
}: SelectOptions = {}): Readonly<Record<string, string>> {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return {
    ...(wanted.length > 0 && { labelSelector: wanted.join(",") }),
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
    ...((wanted.length > 0 || name !== undefined) && { resourceVersion: "0" }),
  };
}
