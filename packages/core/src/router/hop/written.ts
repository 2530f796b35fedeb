import { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { extrasOf } from "../run/hop.js";
import type { Hop } from "../run/model.js";

// A librarian with effects "write" changes something outside. Once it is called, nothing above it is done again.

/** A librarian that changes something outside is about to be called: the calls above it are not repeated. */
export function markWritten(hop: Hop): void {
  addWritten(hop, [hop.to]);
  for (let above: Hop | undefined = hop; above !== undefined; above = above.parent) {
    const extras = extrasOf(above);
    extras.hasWritten = true;
    extras.race?.decide(above);
  }
}

/**
 * Informs the process that has called this one, which then does not repeat its call.
 *
 * @returns Resolves when it knows; `undefined`: no process has called this one. Rejects where the work is not needed any
 *   more.
 */
export function announceWrite({ run }: Hop): Promise<void> | undefined {
  const { caller } = run;
  if (caller?.beforeWrite === undefined) return undefined;
  run.announced ??= caller.beforeWrite();
  return run.announced;
}

function addWritten({ run }: Hop, ids: Iterable<string>): void {
  run.written ??= new Set();
  for (const id of ids) run.written.add(id);
}

/** A hop that waited for the work of another one: changes by that work count for it too. */
export function markWrittenFor(hop: Hop, leader: Hop): void {
  if (leader.extras?.hasWritten !== true) return;
  addWritten(hop, leader.run.written ?? []);
  for (let above: Hop | undefined = hop; above !== undefined; above = above.parent) {
    extrasOf(above).hasWritten = true;
  }
}

/** Whether a hop, or something below it, may have changed something outside. */
export function hasWritten({ extras }: Hop): boolean {
  return extras?.hasWritten === true;
}

/** The same response, whose error says that the work was not repeated, and why. */
export function notRepeated(hop: Hop, response: Response): Response {
  const { error } = response;
  if (error === undefined || !hasWritten(hop)) return response;
  const written = [...(hop.run.written ?? [])];
  const details = { ...error.details, written };
  const suggestion = `${named(written)} may have changed something already, so nothing was repeated: look there before you ask again.`;
  return { ...response, error: { ...error, recoverable: false, suggestion, details } };
}

/** The error of a hop that waited for such work and got no response: it does not repeat the work. */
export function writtenElsewhere({ to }: Hop): MeshError {
  const message = `"${to}" was stopped after a change, and is not asked again.`;
  return new MeshError("SERVICE_UNAVAILABLE", message, { librarian: to });
}

function named(ids: readonly string[]): string {
  return ids.map((id) => `"${id}"`).join(", ");
}
