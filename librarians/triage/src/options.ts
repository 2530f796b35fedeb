import {
  type LibrarianOptions,
  librarianOptionFields,
  maxTimerMs,
  optionField,
} from "@constellation/core/authoring";
import type { Embedder } from "@constellation/retrieval";
import { z } from "zod";

/** Options for {@link createTriageLibrarian}. All have a default. */
export interface TriageLibrarianOptions extends LibrarianOptions {
  /** @default "triage" */
  readonly id?: string | undefined;
  /** @default "Reads a question and passes it to those who can answer it." */
  readonly description?: string | undefined;
  /**
   * Maximum number of delegates of one query. Integer, 1 to 16.
   *
   * @default 3
   */
  readonly maxDelegates?: number | undefined;
  /**
   * Minimum score at which a delegate fits, above 0 and below 1: the higher, the more queries are
   * refused. Holds for the ranked match alone; a model decides by itself.
   *
   * @default 0.4
   */
  readonly threshold?: number | undefined;
  /**
   * Whether the model of the context is asked where there is one.
   *
   * @default true
   */
  readonly useModel?: boolean | undefined;
  /** Model id for its calls. The default of the model's client where not given. */
  readonly model?: string | undefined;
  /**
   * Maximum number of delegates that a model is shown, the best of the ranked match. Integer, 1 to 100.
   *
   * @default 20
   */
  readonly shortlist?: number | undefined;
  /**
   * Maximum time for a model's analysis of the query, a repair included, in milliseconds: 1 to
   * 2147483647. A third of what remains of the hop, where that is shorter or this is not given.
   */
  readonly analysisTimeoutMs?: number | undefined;
  /**
   * Maximum time for a model's decision, a repair included, in milliseconds: 1 to 2147483647. A third
   * of what remains of the hop, where that is shorter or this is not given.
   */
  readonly decisionTimeoutMs?: number | undefined;
  /**
   * Compares the meaning of a query with what librarians say about themselves, beside its words.
   * Vectors of librarians are made in the background; words alone decide until then. Any caller that opened it closes it.
   */
  readonly embedder?: Embedder | undefined;
  /**
   * Maximum time for the embedder to read a query, in milliseconds: 1 to 2147483647. A tenth of what
   * remains of the hop, where that is shorter.
   *
   * @default 1_000
   */
  readonly embeddingTimeoutMs?: number | undefined;
}

/** The defaults named in {@link TriageLibrarianOptions}. */
export const triageLibrarianDefaults = {
  id: "triage",
  description: "Reads a question and passes it to those who can answer it.",
  maxDelegates: 3,
  threshold: 0.4,
  useModel: true,
  shortlist: 20,
  embeddingTimeoutMs: 1_000,
} as const satisfies TriageLibrarianOptions;

const betweenZeroAndOne = "expected a number above 0 and below 1";

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<TriageLibrarianOptions> = z.strictObject({
  ...librarianOptionFields,
  maxDelegates: optionField.integer(1, 16).optional(),
  threshold: z
    .number(betweenZeroAndOne)
    .gt(0, betweenZeroAndOne)
    .lt(1, betweenZeroAndOne)
    .optional(),
  useModel: optionField.flag().optional(),
  model: optionField.text("the id of a model").optional(),
  shortlist: optionField.integer(1, 100).optional(),
  analysisTimeoutMs: optionField.number(1, maxTimerMs).optional(),
  decisionTimeoutMs: optionField.number(1, maxTimerMs).optional(),
  embedder: optionField.port<Embedder>("embed").optional(),
  embeddingTimeoutMs: optionField.number(1, maxTimerMs).optional(),
});
