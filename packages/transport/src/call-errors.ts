import { MeshError } from "@constellation/core";

/** Outcome of a write whose process was lost or stopped. */
export type WriteOutcome = "not-done" | "unknown";

export function unserved(librarian: string): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", `No process serves "${librarian}" now.`, {
    suggestion: "Start a process that serves it, then ask again.",
  });
}

export function notConnected(): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The transport is not connected.", {
    reason: "disconnected",
    suggestion: "Check that its server is up and reachable, then ask again.",
  });
}

export function lost(librarian: string, attempts: number): MeshError {
  const processes = attempts === 1 ? "The process" : `Each of ${attempts} processes`;
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `${processes} that ran the call to "${librarian}" stopped answering.`,
    { reason: "remote-lost" },
  );
}

/** @param id - Of the call: its outcome can be read later. */
export function lostWrite(librarian: string, id: string, what = "stopped answering"): MeshError {
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `The process that ran the call to "${librarian}" ${what}. The call may have completed.`,
    {
      reason: "remote-lost",
      suggestion: "Check whether the change was made before you ask again.",
      details: { outcome: "unknown" satisfies WriteOutcome, call: id },
    },
  );
}

/** The caller was first to claim the call: no process will start it. */
export function notDone(librarian: string, id: string): MeshError {
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `The process that was sent the call to "${librarian}" stopped answering before it began. The change was not made.`,
    {
      reason: "remote-lost",
      suggestion: "Ask again: nothing was changed.",
      details: { outcome: "not-done" satisfies WriteOutcome, call: id },
    },
  );
}

/** @param cause - Why the claim failed. */
export function claimFailed(librarian: string, cause: unknown): MeshError {
  const { message = "unknown" } = cause instanceof Error ? cause : {};
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `"${librarian}" changes something, and its call could not be claimed: ${message} It was not started.`,
    {
      suggestion: "Give the process permission to claim calls, or create the buckets of claims.",
      details: { outcome: "not-done" satisfies WriteOutcome },
      cause,
    },
  );
}

export function tooLarge(bytes: number, max: number): MeshError {
  return new MeshError(
    "INVALID_QUERY",
    `The call has ${bytes} bytes; the transport's maximum is ${max}.`,
    { suggestion: "Ask a shorter question, or forward fewer keys of the metadata." },
  );
}

export function expired(librarian: string): MeshError {
  return new MeshError("TIMEOUT", `The call to "${librarian}" arrived after its deadline.`, {
    reason: "deadline",
  });
}
