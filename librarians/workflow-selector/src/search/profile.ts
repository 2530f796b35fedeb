import type { Workflow } from "../catalog/workflow.js";
import type { CheckedQuery } from "./query.js";

/** An entry that passed the filter, before it is scored. */
export interface Candidate {
  readonly workflow: Workflow;
  readonly query: CheckedQuery;
  /** How well its words and conditions fit the incident, 0 to 1; 1 where the query names no incident. */
  readonly semantic: number;
  /** The mean over the query's labels of 1 for a match, by value or by `*`: 1, as entries without a match are left out. */
  readonly labelMatch: number;
}

/** Gives the confidence of an entry, 0 to 1; undefined leaves it out. Must not depend on anything else. */
export type ScoringProfile = (candidate: Candidate) => number | undefined;

/** confidence = 0.5 * semantic + 0.5 * label match. */
export const defaultProfile = ({ semantic, labelMatch }: Candidate): number =>
  0.5 * semantic + 0.5 * labelMatch;
