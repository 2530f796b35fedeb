import { type ErrorInfo, errorCodes } from "../../contract/error-code.js";
import { MeshError, type MeshErrorOptions } from "../../contract/mesh-error.js";
import { isId } from "../../contract/option-checks.js";
import type { MissingBranch } from "../../contract/response.js";
import { describeType, describeValue, thrownText } from "../../contract/unknown-value.js";
import { answerersOf, type Waiting } from "../../contract/waiting.js";
import type { Hop, RunState } from "./model.js";

// Every error the router makes.

export function deadlinePassed(): MeshError {
  return new MeshError("TIMEOUT", "There was no answer in time.", { reason: "deadline" });
}

export function stillStarting(to: string): MeshError {
  return new MeshError("TIMEOUT", `Librarian "${to}" was still starting when the time was up.`, {
    reason: "deadline",
    librarian: to,
    suggestion: "Ask again, give more time, or call router.open() before the first question.",
  });
}

export function noTimeLeft(to: string): MeshError {
  return new MeshError("TIMEOUT", `No time was left to ask "${to}".`, {
    reason: "deadline",
    librarian: to,
  });
}

/** @param reason - As the caller passed it; only text is repeated. */
export function cancelled(message: string, reason?: unknown): MeshError {
  return new MeshError("TIMEOUT", message, {
    reason: "cancelled",
    suggestion: "Nothing is wrong: ask again if the answer is still wanted.",
    ...(typeof reason === "string" && { details: { cancelReason: reason.slice(0, 200) } }),
    cause: reason,
  });
}

/** @param reason - What the caller aborted with, which may be anything. */
export function callerCancelled(reason: unknown): MeshError {
  return cancelled("The caller cancelled.", reason);
}

/** The librarian that asked has ended. */
export function callerEnded(to: string): MeshError {
  return new MeshError("TIMEOUT", `Librarian "${to}", which asked, has ended.`, {
    reason: "cancelled",
  });
}

/** @param strategy - Name of the strategy that has enough. */
export function fanOutDecided(strategy: string): MeshError {
  return cancelled(`The fan-out is decided (${strategy}).`);
}

/** One for all runs: every run needs it, and making an error costs more than a run. */
export const runHasResponse = cancelled("The run has its response.");

export function routerClosing(): MeshError {
  return cancelled("The router is closing.");
}

export function routerClosed(): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The router is closed.", {
    suggestion: "Ask a router that is open; this one was closed by the application.",
  });
}

const maxIdsNamed = 20;

export function noLibrarianGiven(ids: readonly string[]): MeshError {
  if (ids.length === 0) {
    return new MeshError("INVALID_QUERY", "No librarian is registered.", {
      suggestion: "Register a librarian, then ask again.",
    });
  }
  const named = ids.slice(0, maxIdsNamed).join(", ");
  const more = ids.length > maxIdsNamed ? ` and ${ids.length - maxIdsNamed} more` : "";
  return new MeshError(
    "INVALID_QUERY",
    `No librarian given. Pass \`to\` or set \`entry\`. Registered: ${named}${more}.`,
    { suggestion: "Name one of them in `to`, or give the router an `entry`." },
  );
}

export function blankQuery(): MeshError {
  return new MeshError("INVALID_QUERY", "The query is blank.");
}

export function queryTooLong(length: number, maxQueryLength: number): MeshError {
  return new MeshError(
    "INVALID_QUERY",
    `The query has ${length} characters; the maximum is ${maxQueryLength}.`,
    { suggestion: "Ask a shorter question; put data into metadata." },
  );
}

export function notText(query: unknown): MeshError {
  return new MeshError("INVALID_QUERY", `The query must be text, not ${describeType(query)}.`);
}

/** @param isGivenByCaller - Whether the id is an option of the caller, so that the message may repeat it. */
export function unknownLibrarian(to: string, isGivenByCaller: boolean): MeshError {
  const named = isGivenByCaller || isId(to) ? describeValue(to) : to; // see hideContent
  return new MeshError(
    isGivenByCaller ? "NOT_FOUND" : "DELEGATION_FAILED",
    `No librarian is registered as ${named}.`,
    {
      reason: "unknown-librarian",
      suggestion: "Register it, or name one of those that router.list() returns.",
    },
  );
}

/** @param path - From the first librarian to the one that would repeat. */
export function loopDetected(path: readonly string[], librarian = path.at(-1)): MeshError {
  return aboutPath("LOOP_DETECTED", path, "is a loop", { librarian });
}

/** @param path - From the first librarian to the one that is one too many. */
export function tooDeep(
  path: readonly string[],
  maxDepth: number,
  librarian = path.at(-1),
): MeshError {
  const problem = `has more than ${maxDepth} librarians`;
  return aboutPath("MAX_DEPTH_EXCEEDED", path, problem, { librarian, maxDepth, reason: "depth" });
}

function aboutPath(
  code: "LOOP_DETECTED" | "MAX_DEPTH_EXCEEDED",
  path: readonly string[],
  problem: string,
  details: NonNullable<MeshErrorOptions["details"]> & { readonly librarian: string | undefined },
): MeshError {
  const { reason, librarian, ...rest } = details;
  return new MeshError(code, `${path.join(" -> ")} ${problem}.`, {
    librarian,
    details: { ...(reason !== undefined && { reason }), path, ...rest },
  });
}

export function notAllowed(from: string, to: string): MeshError {
  return new MeshError("UNAUTHORIZED", `"${from}" may not delegate to "${to}".`, {
    reason: "not-allowed",
    librarian: to,
    suggestion: `Add "${to}" to delegatesTo of "${from}", or delegate to one that is there.`,
  });
}

export function userNotAllowed(to: string): MeshError {
  return new MeshError("UNAUTHORIZED", `The user may not ask "${to}".`, {
    reason: "not-allowed",
    librarian: to,
    suggestion:
      "Ask as a user who has the right, or have the operator change `allow` of the librarian.",
  });
}

export function hopsUsed(to: string, maxHops: number): MeshError {
  return new MeshError("MAX_DEPTH_EXCEEDED", `The run has used its ${maxHops} hops.`, {
    reason: "budget-exceeded",
    librarian: to,
    details: { maxHops },
  });
}

/** A delegate beyond `maxFanout`. */
export function beyondMaxFanout(to: string, maxFanout: number): MissingBranch {
  return {
    to,
    code: "MAX_DEPTH_EXCEEDED",
    reason: "budget-exceeded",
    message: `Not asked: a response may have ${maxFanout} delegates.`,
  };
}

/**
 * A librarian returned something else.
 *
 * @param problem - Names the field, not its content.
 * @param returned - What it returned, as text for its author.
 */
export function invalidResponse(
  to: string,
  problem: string,
  returned: string | undefined,
): MeshError {
  return new MeshError("INTERNAL_ERROR", `Librarian "${to}" did not return a valid response.`, {
    reason: "invalid-response",
    librarian: to,
    suggestion: "Correct the librarian: error.details.problem names the field.",
    details: { problem, ...(returned !== undefined && { returned }) },
  });
}

export function invalidMerge(problem: string): MeshError {
  return new MeshError("INTERNAL_ERROR", "The merge function did not return a valid response.", {
    reason: "invalid-response",
    details: { problem },
  });
}

export function mergeThrew(thrown: unknown): MeshError {
  return new MeshError("INTERNAL_ERROR", "The merge function threw an error.", {
    reason: "threw",
    cause: thrown,
  });
}

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

/** @param problem - Why nothing is asked with this metadata: the key, and what is wrong there. */
export function wrongMetadata(problem: string): MeshError {
  return new MeshError("INVALID_QUERY", `metadata${problem}.`, {
    suggestion: "Put less into metadata, and only what JSON can carry: a reference, for example.",
  });
}

/** A fault of the router itself. */
export function routerFailed(thrown: unknown): MeshError {
  return new MeshError("INTERNAL_ERROR", "The router failed.", { cause: thrown });
}

/** A hop ends because it waits for a person or an event. */
export function runWaits(waiting: Waiting): MeshError {
  const { kind, what, librarian } = waiting;
  const needs = {
    approval: "an approval",
    question: "an answer",
    event: "an event",
    "outcome-unknown": "the outcome of a write",
  }[kind];
  const people = answerersOf(waiting).join(", ");
  const from = people === "" ? "" : ` from ${people}`;
  return new MeshError(
    "UNAUTHORIZED",
    `"${librarian}" waits for ${needs}${from}: ${what}`.slice(0, 1_000),
    {
      reason: "waiting",
      librarian,
      suggestion: "Answer what metadata.waiting lists: the run then continues.",
    },
  );
}

/** A librarian waits, or a run is resumed, and no journal keeps it. */
export function noJournal(
  librarian?: string,
  problem = "No journal keeps runs, so none can wait.",
): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", problem, {
    librarian,
    suggestion: "Give the router a `journal`: createJournal of @constellation/journal.",
  });
}

export function budgetSpent(): MeshError {
  return new MeshError("AI_UNAVAILABLE", "The run's budget for models is spent.", {
    reason: "budget-exceeded",
    suggestion: "Ask with a larger budget, or let the librarian answer without a model.",
  });
}

/** A value that cannot be an id may be a secret that a librarian returned by mistake, and is not repeated. */
export function hideContent(to: string): string {
  return isId(to) ? to : `(${describeType(to)})`;
}

/** Maximum length of a query in an error, in characters. */
const maxShownQuery = 1_000;

/** Maximum length of a stack in an error, in characters, for authors. */
const maxThrownLength = 10_000;

/** An error as the response of a hop has it. */
export function errorOf(hop: Hop, error: MeshError): ErrorInfo {
  // In the order of a checked response, so that a journal returns the same bytes.
  const { code, message, librarian = hop.to, ...rest } = error.toInfo();
  const info = { code, message, librarian, query: shownQuery(hop.run), ...rest };
  if (!hop.run.mesh.settings.debug || error.reason !== "threw") return info;
  const thrown = thrownText(error.cause).slice(0, maxThrownLength);
  return { ...info, details: { ...info.details, thrown } };
}

/** An error that a librarian returned, completed with its id, the query, and the defaults of the code. */
export function completeError(hop: Hop, error: ErrorInfo): ErrorInfo {
  const { code, message, librarian = hop.to, query = shownQuery(hop.run), ...rest } = error;
  const { retryable, suggestion: tip } = errorCodes[code];
  const { recoverable = retryable, suggestion = tip, ...more } = rest;
  return { code, message, librarian, query, recoverable, suggestion, ...more };
}

/** The query of a run as an error repeats it. */
export function shownQuery({ query }: RunState): string {
  return query.length > maxShownQuery ? `${query.slice(0, maxShownQuery)}…` : query;
}
