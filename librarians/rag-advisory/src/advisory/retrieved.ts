import type { Chunk } from "../store/vector-store.js";
import type { DataRow } from "./data-row.js";

/** A passage that was found, and how close it is to the question, 0 to 1. */
export interface Passage {
  readonly chunk: Chunk;
  readonly closeness: number;
}

/** What was found for a question. */
export interface Retrieved {
  /** The closest first, at most five. */
  readonly passages: readonly Passage[];
  /** Others about the same place, for what is said besides. They are not evidence for what was asked. */
  readonly surroundings: readonly Passage[];
  /** Data rows of the place, the latest first. */
  readonly rows: readonly DataRow[];
}
