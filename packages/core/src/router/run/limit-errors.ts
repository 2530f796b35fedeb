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

/** @param remainingMs - How long its breaker stays open, in milliseconds; 0 while probes decide. */
export function circuitOpen(to: string, remainingMs: number): MeshError {
  const retryAfterMs = Math.max(1_000, Math.ceil(remainingMs));
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `"${to}" failed too often and is not called for now.`,
    {
      reason: "circuit-open",
      librarian: to,
      suggestion: `Ask again in ${retryAfterMs} ms, ask another librarian, or give it a fallback.`,
      details: { retryAfterMs },
    },
  );
}
