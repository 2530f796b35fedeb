import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
} from "@constellation/authoring";
import { maxTimerMs } from "@constellation/core";
import type { Embedder } from "@constellation/retrieval";
import { z } from "zod";

/** Options for {@link createTriageLibrarian}. All have a default. */
export interface TriageLibrarianOptions extends LibrarianOptions {
  /** @default "triage" */
  readonly id?: string | undefined;
  /** @default "Delegates a question to the librarians that can answer it." */
  readonly description?: string | undefined;
  /**
   * Maximum number of delegates of one query. Integer, 1 to 16.
   *
   * @default 3
   */
  readonly maxDelegates?: number | undefined;
  /**
   * Minimum score at which a delegate fits, above 0 and below 1. A higher value refuses more
   * queries. Applies to the ranked match only; a model decides by itself.
   *
   * @default 0.03
   */
  readonly threshold?: number | undefined;
  /** Whether to ask the model of the context, if there is one.
   *
   * @default true
   */
  readonly useModel?: boolean | undefined;
  /** Model id for its calls. Default: the default of the model's client. */
  readonly model?: string | undefined;
  /**
   * Maximum number of delegates in a prompt, the best of the ranked match. Integer, 1 to 100.
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
   * Embedder that adds a comparison by meaning to the comparison by words. Vectors of librarians
   * are computed in the background; meanwhile a query that fits no librarian by its words waits. The caller that
   * opened the embedder closes it.
   */
  readonly embedder?: Embedder | undefined;
  /**
   * Maximum time for the embedder to start and to read the librarians, in milliseconds from its first
   * use: 1 to 2147483647. Queries wait no longer than that, nor than half of what remains of the
   * hop; then words alone decide.
   *
   * @default 15_000
   */
  readonly embedderStartTimeoutMs?: number | undefined;
  /**
   * Maximum time for the embedder to read a query, in milliseconds: 1 to 2147483647. Shorter when a
   * tenth of the hop's remaining time is.
   *
   * @default 1_000
   */
  readonly embeddingTimeoutMs?: number | undefined;
}

/** The defaults named in {@link TriageLibrarianOptions}. */
export const triageLibrarianDefaults = {
  id: "triage",
  description: "Delegates a question to the librarians that can answer it.",
  maxDelegates: 3,
  threshold: 0.03,
  useModel: true,
  shortlist: 20,
  embedderStartTimeoutMs: 15_000,
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
  embedderStartTimeoutMs: optionField.number(1, maxTimerMs).optional(),
  embeddingTimeoutMs: optionField.number(1, maxTimerMs).optional(),
});
