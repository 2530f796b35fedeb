import type { Context } from "../contract/context.js";
import type { LibrarianDefinition } from "../contract/definition.js";
import type { Librarian } from "../contract/librarian.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Response } from "../contract/response.js";
import { toAbortError } from "./abort-error.js";
import { withDeadline } from "./with-deadline.js";

/** All of a definition but the function. */
export type LibrarianDetails = Omit<LibrarianDefinition, "librarian">;

/**
 * Answers one query.
 *
 * @param query - Not blank.
 * @param context - Of this hop; `{}` where the caller gave none.
 * @param signal - Aborts at the deadline or when the caller cancels, with a `MeshError`. Always there.
 */
export type Answer = (
  query: string,
  context: Context,
  signal: AbortSignal,
) => Promise<Response> | Response;

/**
 * Makes a definition from a function that answers, with what every librarian owes its callers:
 *
 * - a query that is blank or not text is `INVALID_QUERY`;
 * - it ends at the deadline and on abort with `TIMEOUT`, also when `answer` never does;
 * - a `MeshError` that `answer` throws is the response's error, with the librarian's id; anything else
 *   is `INTERNAL_ERROR` and none of its text leaves.
 *
 * The librarian never rejects.
 */
export function defineLibrarian(details: LibrarianDetails, answer: Answer): LibrarianDefinition {
  const librarian: Librarian = async (query, context = {}) => {
    const id = context.librarian?.id ?? details.id;
    const { signal } = context;
    try {
      if (typeof query !== "string" || query.trim() === "") throw blankQuery(query);
      return await withDeadline(context, (ends) => answer(query, context, ends));
    } catch (thrown) {
      // Once the caller has left, that is the cause, whatever was thrown on the way out.
      const cause = signal?.aborted === true ? toAbortError(signal) : thrown;
      return { error: { ...MeshError.from(cause, id).toInfo(), librarian: id } };
    }
  };
  return { ...details, librarian };
}

function blankQuery(query: unknown): MeshError {
  const what = typeof query === "string" ? "blank" : "not text";
  return new MeshError("INVALID_QUERY", `The query is ${what}.`, {
    suggestion: "Ask a question in words.",
  });
}
