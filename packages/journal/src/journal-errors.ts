import { MeshError } from "@constellation/core";

// Errors of a journal, with suggestions.

export function unknownRun(what: string): MeshError {
  return new MeshError("NOT_FOUND", `Not in the journal, or not ended: ${what}.`, {
    suggestion: "journal.runs() lists the runs.",
  });
}

export function nothingWaits(id: string, why: string): MeshError {
  return new MeshError("NOT_FOUND", `${why}: "${id}".`, {
    suggestion: "journal.waiting() lists the open waits.",
  });
}

export function cancelled(): MeshError {
  return new MeshError("TIMEOUT", "The run was cancelled.", { reason: "cancelled" });
}

export function lostTooOften(losses: number): MeshError {
  return new MeshError(
    "INTERNAL_ERROR",
    `${losses} processes ended while they worked on the run.`,
    {
      suggestion: "Check the logs of the processes for the cause, then ask again.",
    },
  );
}

export function cannotContinue(cause: unknown): MeshError {
  return new MeshError("INTERNAL_ERROR", "The run cannot be continued by this version.", {
    suggestion: "Ask again.",
    cause,
  });
}

export function cannotFollow(runId: string): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", `Run "${runId}" continues in another process.`, {
    reason: "journal-failed",
    suggestion: "Read the run in the journal, or wait for its answer in that process.",
  });
}

/** The store rejects writes. */
export function cannotRecord(cause: Error): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The journal cannot be written.", {
    reason: "journal-failed",
    suggestion: "Check the log of the server: the disk may be full, or the database unavailable.",
    cause,
  });
}

export function ownedByAnother(): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "Another process has taken over the run.", {
    reason: "journal-failed",
    suggestion:
      "Follow the run in the journal. This process lost it because it did not renew its lease in time.",
  });
}
