import { type ErrorCode, isErrorCode } from "../../contract/error-code.js";
import type { MissingBranch, Response } from "../../contract/response.js";
import { isRecord, responseLimits } from "../../contract/unknown-value.js";
import type { Arrival, FanOut } from "../run/model.js";

const maxMessageLength = 2_000;

/**
 * Branches of a fan-out that failed or were not asked, in the order asked, with those that were
 * missing further down in a branch that answered.
 *
 * @param arrivals - In the order asked. A branch that is not among them was stopped by a decision;
 *   with `isCut` it was stopped because the run ended, and is missing.
 */
export function listMissing(
  { children, notAsked }: FanOut,
  arrivals: readonly Arrival[],
  isCut = false,
): readonly MissingBranch[] {
  const missing: MissingBranch[] = [];
  if (isCut) {
    const responses = new Map(arrivals.map(({ index, response }) => [index, response]));
    for (const [index, { to }] of children.entries()) {
      const response = responses.get(index);
      if (response === undefined) {
        missing.push(branch(to, "TIMEOUT", "cancelled", "The run ended before it answered."));
      } else addMissing(missing, to, response);
    }
  } else {
    for (const { index, response } of arrivals) {
      addMissing(missing, children[index]?.to ?? "", response);
    }
  }
  for (const each of notAsked) {
    if (missing.length >= responseLimits.items) break;
    missing.push(each);
  }
  return missing;
}

function addMissing(
  missing: MissingBranch[],
  to: string,
  { answer, error, metadata }: Response,
): void {
  if (error !== undefined) {
    missing.push(branch(to, error.code, error.details?.reason, error.message));
  }
  if (answer !== undefined) addMissingBelow(missing, metadata?.missing);
}

/** Adds branches that were missing further down, as untrusted data of a librarian. */
function addMissingBelow(missing: MissingBranch[], below: unknown): void {
  try {
    if (!Array.isArray(below)) return;
    const count = Math.min(below.length, responseLimits.items - missing.length);
    for (let index = 0; index < count; index++) {
      const each = readMissing(below[index]);
      if (each !== undefined) missing.push(each);
    }
  } catch {
    // A revoked proxy: nothing can be read from it.
  }
}

function readMissing(value: unknown): MissingBranch | undefined {
  try {
    const { to, code, reason, message } = isRecord(value) ? value : {};
    if (typeof to !== "string" || !isErrorCode(code) || typeof message !== "string") {
      return undefined;
    }
    return branch(to, code, reason, message);
  } catch {
    return undefined; // it threw while it was being read
  }
}

function branch(to: string, code: ErrorCode, reason: unknown, message: string): MissingBranch {
  return {
    to: to.slice(0, maxMessageLength),
    code,
    ...(typeof reason === "string" && { reason: reason.slice(0, 100) }),
    message: message.slice(0, maxMessageLength),
  };
}
