import { MeshError } from "../contract/mesh-error.js";

/** What a router aborts with when the caller no longer wants the answer: `TIMEOUT`, reason `cancelled`. */
export function cancelled(): MeshError {
  return new MeshError("TIMEOUT", "The caller cancelled.", { reason: "cancelled" });
}

/** What a router aborts with when time is up: `TIMEOUT`, reason `deadline`. */
export function deadlinePassed(): MeshError {
  return new MeshError("TIMEOUT", "The deadline passed.", { reason: "deadline" });
}

/** Why a signal aborted: its reason where that is a `MeshError`, else {@link cancelled}. */
export function abortReason({ reason }: AbortSignal): MeshError {
  return reason instanceof MeshError ? reason : cancelled();
}
