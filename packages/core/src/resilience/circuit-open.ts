import { MeshError } from "../contract/mesh-error.js";

/**
 * A breaker is open.
 *
 * @param remainingMs - How long it stays open, in milliseconds; 0 while probes decide.
 */
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
