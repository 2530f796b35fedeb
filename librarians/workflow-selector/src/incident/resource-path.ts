import type { IncidentResource } from "./incident.js";

/**
 * Reads `kind/name`, `namespace/kind/name` or `namespace/group/kind/name`.
 *
 * @returns Undefined for another number of parts, and for a blank one.
 */
export function readResourcePath(path: string | null | undefined): IncidentResource | undefined {
  const parts = (path ?? "").split("/").map((part) => part.trim());
  if (parts.length < 2 || parts.length > 4 || parts.includes("")) return undefined;
  const [name, kind] = [parts.at(-1), parts.at(-2)];
  return { name, kind, namespace: parts.length > 2 ? parts[0] : undefined };
}

/** `namespace/kind/name`, as far as it is known. Blank where nothing is. */
export function resourcePath({ namespace, kind, name }: IncidentResource = {}): string {
  return [namespace, kind, name].filter((part) => part !== undefined && part !== "").join("/");
}
