import { errorCodes } from "../../contract/error-code.js";
import type { ErrorInfo } from "../../contract/error-info.js";
import type { MeshError } from "../../contract/mesh-error.js";
import { thrownText } from "../../contract/unknown-value.js";
import type { Hop, RunState } from "./model.js";

/** Longest query an error repeats. */
const maxShownQuery = 1_000;

/** Longest stack in an error, for authors. */
const maxThrownLength = 10_000;

/** An error as the response of a hop has it. */
export function errorOf(hop: Hop, error: MeshError): ErrorInfo {
  const info = { librarian: hop.to, ...error.toInfo(), query: shownQuery(hop.run) };
  if (!hop.run.mesh.settings.debug || error.reason !== "threw") return info;
  const thrown = thrownText(error.cause).slice(0, maxThrownLength);
  return { ...info, details: { ...info.details, thrown } };
}

/** An error that a librarian returned, with what it left out: who, on which query, and what the table says of the code. */
export function completeError(hop: Hop, error: ErrorInfo): ErrorInfo {
  const { retryable, suggestion } = errorCodes[error.code];
  const rest = {
    librarian: hop.to,
    query: shownQuery(hop.run),
    recoverable: retryable,
    suggestion,
  };
  return { ...rest, ...error };
}

/** The query of a run as an error repeats it. */
export function shownQuery({ query }: RunState): string {
  return query.length > maxShownQuery ? `${query.slice(0, maxShownQuery)}…` : query;
}
