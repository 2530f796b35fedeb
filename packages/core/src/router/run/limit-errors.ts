import { MeshError } from "../../contract/mesh-error.js";

// Errors of limits that protect librarians from too many calls.

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
