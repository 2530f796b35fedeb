import { MeshError } from "@constellation/core";
import { z } from "zod";
import { type QueryLabels, readQueryLabels } from "./labels.js";

/** What is looked for in the catalog. Every part narrows; none of them: everything. */
export interface CatalogQuery {
  /** What happened: a signal's name, or a sentence. */
  readonly incident_type?: string | undefined;
  /** What else is said about it. Counts less. */
  readonly details?: string | undefined;
  /** What was observed, one finding each. Counts more than what the alert says. */
  readonly observations?: readonly string[] | undefined;
  /** All must match. The prefix of a key is optional, hyphen and underscore are equal; `key:value` texts do too. */
  readonly labels?: QueryLabels | undefined;
  /** Labels that an investigation added, and no one stated: they restrict only the entries that declare them. */
  readonly addedLabels?: QueryLabels | undefined;
  /** Known facts, which the prerequisites of entries are checked against. */
  readonly facts?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether risks are limited as for production.
   *
   * @default whether `labels.environment` names production, is not known or is not given
   */
  readonly isProduction?: boolean | undefined;
  /** What ranks and does not filter. */
  readonly observed?: Observed | undefined;
  /**
   * Minimum confidence, 0 to 1.
   *
   * @default none
   */
  readonly min_confidence?: number | undefined;
  /**
   * Maximum number of entries, 1 or more.
   *
   * @default none
   */
  readonly max_results?: number | undefined;
  /**
   * Offset of the first entry, 0 or more: for a page after the first.
   *
   * @default 0
   */
  readonly offset?: number | undefined;
}

/** What was seen of the incident's object. */
export interface Observed {
  readonly severity?: string | undefined;
  /** Kind of the object: `Deployment`. */
  readonly component?: string | undefined;
  /** Its traits, such as `helmManaged: true`; undefined: not known. */
  readonly traits?: Readonly<Record<string, string | boolean>> | undefined;
}

/** A query that was checked. */
export interface CheckedQuery extends Omit<CatalogQuery, "labels" | "addedLabels"> {
  readonly labels: Readonly<Record<string, string>>;
  readonly addedLabels?: Readonly<Record<string, string>> | undefined;
}

const numbers = z.object({
  incident_type: z.string("expected text").optional(),
  details: z.string("expected text").optional(),
  min_confidence: z.number("expected a number from 0 to 1").min(0).max(1).optional(),
  max_results: z.number("expected an integer of 1 or more").int().min(1).optional(),
  offset: z.number("expected an integer of 0 or more").int().min(0).optional(),
});

/** @throws MeshError `INVALID_QUERY`, naming the key. */
export function checkQuery(query: CatalogQuery): CheckedQuery {
  const checked = numbers.safeParse(query);
  if (checked.success) {
    const addedLabels = readQueryLabels(query.addedLabels);
    return { ...query, labels: readQueryLabels(query.labels), addedLabels };
  }
  const [issue] = checked.error.issues;
  throw new MeshError("INVALID_QUERY", `${issue?.path.join(".")}: ${issue?.message}.`);
}
