import type { InputLimits } from "../../contract/input-limits.js";
import { MeshError } from "../../contract/mesh-error.js";
import { metadataProblem } from "../../contract/metadata-problem.js";

// Errors of limits that protect librarians from too many calls and too much data.

/** @param retryAfterMs - When there may be room, in milliseconds. */
export function overloaded(to: string, retryAfterMs: number): MeshError {
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `Too many calls are waiting; "${to}" was not asked.`,
    {
      reason: "overloaded",
      librarian: to,
      suggestion: `Ask again in ${retryAfterMs} ms, or raise concurrency or maxQueue.`,
      details: { retryAfterMs },
    },
  );
}

/** Why nothing is asked with this metadata: it is too large or too deep. `undefined`: it may be asked. */
export function metadataRefusal(
  metadata: Readonly<Record<string, unknown>>,
  limits: InputLimits,
): MeshError | undefined {
  const problem = metadataProblem(metadata, limits);
  if (problem === undefined) return undefined;
  return new MeshError("INVALID_QUERY", `metadata: ${problem}.`, {
    suggestion: "Put less into metadata: a reference in place of the data, for example.",
  });
}
