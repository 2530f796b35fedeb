import { describeValue, isRecord } from "./unknown-value.js";

/** A librarian on the path of a call, which may lead through several meshes. */
export interface PathEntry {
  /** Name of the mesh: `name` of its router; a random one where the router has none. */
  readonly mesh: string;
  /** Id of the librarian. */
  readonly id: string;
  /** Whether it only forwards to another mesh. Such entries do not count towards `maxDepth`. */
  readonly isBridge?: boolean | undefined;
}

/** Maximum number of entries of a path from another mesh. */
export const maxPathEntries = 32;

/**
 * Why a value is not a path: the field and what is expected. `undefined` when it is one.
 *
 * @beta
 */
export function pathProblem(path: unknown): string | undefined {
  if (!Array.isArray(path) || path.length > maxPathEntries) {
    return `path: expected an array of at most ${maxPathEntries} entries`;
  }
  for (const [index, entry] of path.entries()) {
    const { mesh, id, isBridge } = isRecord(entry) ? entry : {};
    if (!isName(mesh)) return `path[${index}].mesh: expected text of 1 to 200 characters`;
    if (!isName(id)) return `path[${index}].id: expected text of 1 to 200 characters`;
    if (isBridge !== undefined && typeof isBridge !== "boolean") {
      return `path[${index}].isBridge: expected true or false, got ${describeValue(isBridge)}`;
    }
  }
  return undefined;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 200;
}
