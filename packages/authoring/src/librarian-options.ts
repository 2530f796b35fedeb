import { maxTimerMs } from "@constellation/core";
import type { z } from "zod";
import { optionField } from "./option-field.js";

/** The options that every librarian has. Extend it; all are optional. */
export interface LibrarianOptions {
  /** Unique in its router: lower-case letters, digits and hyphens, at most 64. */
  readonly id?: string | undefined;
  /** What it answers, in a sentence or two, so that others can find it. */
  readonly description?: string | undefined;
  /** Display name. Default: the id. */
  readonly name?: string | undefined;
  /** Team that owns it. */
  readonly team?: string | undefined;
  /** Hierarchical, of lower-case letters, digits, hyphens and dots: `docs.network`. */
  readonly capabilities?: readonly string[] | undefined;
  /** Questions it answers well, as people ask them. */
  readonly examples?: readonly string[] | undefined;
  /** Ids it may delegate to. Default: any. An empty list allows none. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Maximum time for one call, in milliseconds: 1 to 2147483647. Default: what remains of the run. */
  readonly timeoutMs?: number | undefined;
}

/** The fields of {@link LibrarianOptions}, to be spread into the shape of a librarian's own options. */
export const librarianOptionFields = {
  id: optionField.id().optional(),
  description: optionField.text("a sentence").optional(),
  name: optionField.text("a name").optional(),
  team: optionField.text("a name").optional(),
  capabilities: optionField
    .list(optionField.matching(/^[a-z0-9.-]{1,128}$/, '1 to 128 of a-z, 0-9, "." and "-"'))
    .optional(),
  examples: optionField.list(optionField.text("a question")).optional(),
  delegatesTo: optionField.list(optionField.id()).optional(),
  timeoutMs: optionField.number(1, maxTimerMs).optional(),
} as const satisfies Record<keyof LibrarianOptions, z.ZodType>;
