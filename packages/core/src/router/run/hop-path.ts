import type { MeshError } from "../../contract/mesh-error.js";
import { callerEnded } from "./errors.js";
import type { Hop } from "./model.js";

/** Ids on its path, itself left out, oldest first. */
export function chainOf(hop: Hop): readonly string[] {
  const ids: string[] = [];
  for (let above = hop.parent; above !== undefined; above = above.parent) ids.push(above.to);
  return ids.reverse();
}

/** Why nothing new may start for a hop: the run, or something above it, is over or decided. */
export function whyClosed(hop: Hop): MeshError | undefined {
  const { closed } = hop.run.calls;
  if (closed !== undefined) return closed;
  let below = hop;
  for (let above = hop.parent; above !== undefined; above = above.parent) {
    if (above.extras?.closed !== undefined) return above.extras.closed;
    if (below.via === "ask" && above.state !== "pending") return callerEnded(above.to);
    below = above;
  }
  return undefined;
}
