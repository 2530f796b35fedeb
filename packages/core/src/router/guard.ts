import { isEqualData } from "../contract/equal-data.js";
import { MeshError } from "../contract/mesh-error.js";
import { describeType, describeValue } from "../contract/unknown-value.js";
import { isId } from "../registry/check-definition.js";
import type { Hop } from "./hop.js";

/** Longest query, in characters. */
const longestQuery = 1_000_000;

/**
 * May this hop start? Reads only; the reservation that follows is the run's.
 *
 * @returns Why not, or `undefined`.
 */
export function refuseHop(hop: Hop): MeshError | undefined {
  const { run, entry, parent, to } = hop;
  const closed = whyClosed(hop);
  if (closed !== undefined) return closed;
  if (entry === undefined) return unknownLibrarian(hop);
  for (let above = parent; above !== undefined; above = above.parent) {
    if (above.to === to && isLoop(hop, above)) return loop(hop);
  }
  const { maxDepth, maxHops } = run.settings;
  if (hop.depth >= maxDepth) {
    return new MeshError(
      "MAX_DEPTH_EXCEEDED",
      `${pathOf(hop)} has more than ${maxDepth} librarians.`,
      {
        reason: "depth",
        librarian: to,
        details: { path: [...hop.chain, to], maxDepth },
      },
    );
  }
  if (parent?.entry?.delegatesTo?.has(to) === false) {
    return new MeshError("UNAUTHORIZED", `"${parent.to}" may not delegate to "${to}".`, {
      reason: "not-allowed",
      librarian: to,
      suggestion: `Add "${to}" to delegatesTo of "${parent.to}", or delegate to one that is there.`,
    });
  }
  if (hop.query !== parent?.query && !isQuery(hop.query)) return blankQuery(hop.query);
  if (run.hopsLeft < 1) {
    return new MeshError("MAX_DEPTH_EXCEEDED", `The run has used its ${maxHops} hops.`, {
      reason: "budget-exceeded",
      librarian: to,
      details: { maxHops },
    });
  }
  if (hop.endsBy <= hop.startedAt) {
    return new MeshError("TIMEOUT", `No time was left to ask "${to}".`, {
      reason: "deadline",
      librarian: to,
    });
  }
  return undefined;
}

/** Why nothing new may start for a hop: the run, or something above it, is over or decided. */
export function whyClosed(hop: Hop): MeshError | undefined {
  if (hop.run.closed !== undefined) return hop.run.closed;
  let below = hop;
  for (let above = hop.parent; above !== undefined; above = above.parent) {
    if (above.closed !== undefined) return above.closed;
    if (below.via === "ask" && above.isOver) return askerIsOver(above.to);
    below = above;
  }
  return undefined;
}

/** Why a hop that was asked by another ends with it. */
export function askerIsOver(to: string): MeshError {
  return new MeshError("TIMEOUT", `Librarian "${to}", which asked, is done.`, {
    reason: "cancelled",
  });
}

/** Whether something can be asked: text, not blank, not too long. */
export function isQuery(query: unknown): query is string {
  return typeof query === "string" && query.length <= longestQuery && query.trim() !== "";
}

/** Why a query cannot be asked: it is blank, too long, or not text. */
export function blankQuery(query: unknown): MeshError {
  if (typeof query !== "string") {
    return new MeshError("INVALID_QUERY", `The query must be text, not ${describeType(query)}.`);
  }
  if (query.trim() === "") return new MeshError("INVALID_QUERY", "The query is blank.");
  return new MeshError(
    "INVALID_QUERY",
    `The query has ${query.length} characters; ${longestQuery} is the most.`,
    { suggestion: "Ask a shorter question; put data into metadata." },
  );
}

function unknownLibrarian({ to, via }: Hop): MeshError {
  const named = via !== "entry" && !isId(to) ? to : describeValue(to); // see Hop: it hides what is no id
  return new MeshError(
    via === "entry" ? "NOT_FOUND" : "DELEGATION_FAILED",
    `No librarian is registered as ${named}.`,
    {
      reason: "unknown-librarian",
      suggestion: "Register it, or name one of those that router.list() gives.",
    },
  );
}

function loop(hop: Hop): MeshError {
  return new MeshError("LOOP_DETECTED", `${pathOf(hop)} is a loop.`, {
    librarian: hop.to,
    details: { path: [...hop.chain, hop.to] },
  });
}

function pathOf({ chain, to }: Hop): string {
  return [...chain, to].join(" -> ");
}

/** Whether a hop repeats one above it that asked the same librarian. */
function isLoop(hop: Hop, above: Hop): boolean {
  if (hop.run.settings.loops === "path") return true;
  return hop.normalisedQuery === above.normalisedQuery && isEqualData(hop.metadata, above.metadata);
}
