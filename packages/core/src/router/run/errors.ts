import { MeshError, type MeshErrorOptions } from "../../contract/mesh-error.js";
import type { MissingBranch } from "../../contract/response.js";
import { describeType, describeValue } from "../../contract/unknown-value.js";
import { isId } from "../../registry/check-definition.js";

// Every error the router makes.

/** The deadline of a call passed. */
export function deadlinePassed(): MeshError {
  return new MeshError("TIMEOUT", "There was no answer in time.", { reason: "deadline" });
}

/** No time is left for a hop. */
export function noTimeLeft(to: string): MeshError {
  return new MeshError("TIMEOUT", `No time was left to ask "${to}".`, {
    reason: "deadline",
    librarian: to,
  });
}

/** A lifecycle function of a librarian took too long. */
export function tookTooLong(): MeshError {
  return new MeshError("TIMEOUT", "It took too long.", { reason: "deadline" });
}

/** @param reason - What the caller gave; only a text is repeated. */
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

/** The router is closing: its runs end. */
export function routerClosing(): MeshError {
  return cancelled("The router is closing.");
}

/** The router is closed. */
export function routerClosed(): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The router is closed.", {
    suggestion: "Ask a router that is open; this one was closed by the application.",
  });
}

const maxIdsNamed = 20;

/** Neither the caller nor the router names a librarian. */
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

/** Why a query cannot be asked: it is blank, too long, or not text. `undefined`: it can. */
export function queryProblem(query: unknown, maxQueryLength: number): MeshError | undefined {
  if (typeof query !== "string") return notText(query);
  if (query.length <= maxQueryLength) {
    return query.trim() === "" ? new MeshError("INVALID_QUERY", "The query is blank.") : undefined;
  }
  return new MeshError(
    "INVALID_QUERY",
    `The query has ${query.length} characters; the maximum is ${maxQueryLength}.`,
    { suggestion: "Ask a shorter question; put data into metadata." },
  );
}

/** The query is not text. */
export function notText(query: unknown): MeshError {
  return new MeshError("INVALID_QUERY", `The query must be text, not ${describeType(query)}.`);
}

/** @param isGivenByCaller - Then its value may be repeated: it is an option. */
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

/** @param path - From the first librarian to the one that would come again. */
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

/** `delegatesTo` does not name the delegate. */
export function notAllowed(from: string, to: string): MeshError {
  return new MeshError("UNAUTHORIZED", `"${from}" may not delegate to "${to}".`, {
    reason: "not-allowed",
    librarian: to,
    suggestion: `Add "${to}" to delegatesTo of "${from}", or delegate to one that is there.`,
  });
}

/** `allow` of the librarian refuses the user. */
export function userNotAllowed(to: string): MeshError {
  return new MeshError("UNAUTHORIZED", `The user may not ask "${to}".`, {
    reason: "not-allowed",
    librarian: to,
    suggestion:
      "Ask as a user who has the right, or have the operator change `allow` of the librarian.",
  });
}

/** The run has called as many librarians as it may. */
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

/** A merge function returned something else. */
export function invalidMerge(problem: string): MeshError {
  return new MeshError("INTERNAL_ERROR", "The merge function did not return a valid response.", {
    reason: "invalid-response",
    details: { problem },
  });
}

/** A merge function threw. */
export function mergeThrew(thrown: unknown): MeshError {
  return new MeshError("INTERNAL_ERROR", "The merge function threw an error.", {
    reason: "threw",
    cause: thrown,
  });
}

/** A fault of the router itself. */
export function routerFailed(thrown: unknown): MeshError {
  return new MeshError("INTERNAL_ERROR", "The router failed.", { cause: thrown });
}

/** The budget for models is spent. */
export function budgetSpent(): MeshError {
  return new MeshError("AI_UNAVAILABLE", "The run's budget for models is spent.", {
    reason: "budget-exceeded",
    suggestion: "Ask with a larger budget, or let the librarian answer without a model.",
  });
}

/** What cannot be an id may be a secret that a librarian returned by mistake: nothing repeats it. */
export function hideContent(to: string): string {
  return isId(to) ? to : `(${describeType(to)})`;
}
