import { withDeadline } from "../authoring/with-deadline.js";
import type { Context } from "../contract/context.js";
import type { Librarian } from "../contract/librarian.js";
import { MeshError } from "../contract/mesh-error.js";
import type { Response } from "../contract/response.js";
import { validateResponse } from "../contract/validate-response.js";

/** One call of a wrapped librarian. */
export interface Attempt {
  /** Valid. An error where it threw or returned what is not a response. */
  readonly response: Response;
  /** What the librarian itself returned. Throws what it threw. */
  result(): Response;
}

/** Calls a librarian, and leaves it when its caller does. Never rejects. */
export async function attempt(
  librarian: Librarian,
  query: string,
  context: Context,
): Promise<Attempt> {
  const id = idOf(context);
  try {
    const call = () => librarian(query, context);
    const { signal } = context;
    const returned = await (signal === undefined ? call() : withDeadline({ signal }, call));
    const checked = validateResponse(returned, noLimits); // the router has the limits
    const response = checked.valid
      ? checked.response
      : { error: invalidResponse(id, checked.problem).toInfo() };
    return { response, result: () => returned };
  } catch (thrown) {
    return {
      response: { error: MeshError.from(thrown, id).toInfo() },
      result: () => {
        throw thrown;
      },
    };
  }
}

/** Id of the librarian that is called, for errors. */
export function idOf({ librarian }: Context): string {
  return librarian?.id ?? "librarian";
}

/** Whether it may be called again, or not at all: it changes nothing, and its caller still waits. */
export function mayRepeat({ librarian, signal }: Context): boolean {
  return librarian?.effects !== "write" && signal?.aborted !== true;
}

const noLimits = {
  maxQueryLength: Number.POSITIVE_INFINITY,
  maxAnswerLength: Number.POSITIVE_INFINITY,
  maxSources: Number.POSITIVE_INFINITY,
  maxMetadataLength: Number.POSITIVE_INFINITY,
  maxMetadataDepth: Number.POSITIVE_INFINITY,
};

function invalidResponse(id: string, problem: string): MeshError {
  return new MeshError("INTERNAL_ERROR", `Librarian "${id}" did not return a valid response.`, {
    reason: "invalid-response",
    librarian: id,
    details: { problem },
  });
}
