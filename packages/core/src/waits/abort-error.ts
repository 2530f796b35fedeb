import { types } from "node:util";
import { MeshError } from "../contract/mesh-error.js";

/** `TIMEOUT`, reason `cancelled`: the caller no longer wants the answer. */
export function cancelledError(): MeshError {
  return new MeshError("TIMEOUT", "The caller cancelled.", { reason: "cancelled" });
}

/** `TIMEOUT`, reason `deadline`. @param message - What was too slow, in one sentence. */
export function deadlineError(message = "The deadline passed."): MeshError {
  return new MeshError("TIMEOUT", message, { reason: "deadline" });
}

/**
 * Reads why a signal aborted as a `MeshError`, whatever its reason is.
 *
 * @returns The reason itself where it is a `MeshError`; `TIMEOUT` with reason `deadline` where
 *   `AbortSignal.timeout` made it; otherwise `TIMEOUT` with reason `cancelled`. Never throws.
 */
export function toAbortError(signal: Pick<AbortSignal, "reason">): MeshError {
  try {
    const reason: unknown = signal.reason;
    const copy = MeshError.copyOf(reason);
    // A proxy may be another MeshError whenever it is read.
    if (copy !== undefined) return types.isProxy(reason) ? copy : (reason as MeshError);
    if (reason instanceof Error && reason.name === "TimeoutError") return deadlineError();
  } catch {
    // A reason that throws when it is read, such as a revoked proxy.
  }
  return cancelledError();
}

/** @throws MeshError as {@link toAbortError} reads it, when the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw toAbortError(signal);
}
