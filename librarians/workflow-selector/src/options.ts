import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
} from "@constellation/core/authoring";
import { z } from "zod";
import type { CatalogStore } from "./catalog/catalog.js";
import { approvalDefaults } from "./gates/approve.js";
import type { OutcomeStore } from "./outcomes/outcome.js";
import type { ScoringProfile } from "./search/profile.js";

/** Options for {@link createWorkflowSelectorLibrarian}. Exactly one of `catalog` and `store` is needed. */
export interface WorkflowSelectorOptions extends LibrarianOptions {
  /** Path of a YAML or JSON file, or of a folder of them. Changes are followed. */
  readonly catalog?: string | undefined;
  /** Gives the catalog from somewhere else. */
  readonly store?: CatalogStore | undefined;
  /** @default "Proposes the remediation workflow for an incident, with parameters; it runs nothing." */
  readonly description?: string | undefined;
  /** @default "workflow-selector" */
  readonly id?: string | undefined;
  /** @default ["remediation.selection"] */
  readonly capabilities?: readonly string[] | undefined;
  /** Ids it may ask for facts, or delegate an out-of-domain question to. Not given: any; empty: none. */
  readonly delegatesTo?: readonly string[] | undefined;
  /**
   * Minimum confidence of a proposal, 0 to 1.
   *
   * @default 0.7
   */
  readonly minConfidence?: number | undefined;
  /**
   * Maximum number of entries of a search: 1 to 1,000.
   *
   * @default 10
   */
  readonly maxResults?: number | undefined;
  /**
   * Below this confidence, 0 to 1, a person must look first.
   *
   * @default 0.7
   */
  readonly humanReviewBelow?: number | undefined;
  /**
   * Below this confidence, 0 to 1, a workflow for production needs approval.
   *
   * @default 0.8
   */
  readonly approvalBelow?: number | undefined;
  /**
   * How confidence is made of semantic fit and labels.
   *
   * @default 0.5 * semantic + 0.5 * label match
   */
  readonly profile?: ScoringProfile | undefined;
  /**
   * The outcome of workflows that were proposed before: shown to people with a proposal, and added to its confidence
   * (-0.15 to 0.05). A model never reads it. A path or a URL of Postgres is opened by `openOutcomes`.
   */
  readonly outcomes?: string | OutcomeStore | undefined;
}

/** The defaults named in {@link WorkflowSelectorOptions}. */
export const workflowSelectorDefaults = {
  id: "workflow-selector",
  description:
    "Proposes the remediation workflow for an incident, with parameters; it runs nothing.",
  capabilities: ["remediation.selection"],
  minConfidence: 0.7,
  maxResults: 10,
  ...approvalDefaults,
} as const satisfies Partial<WorkflowSelectorOptions>;

const shape = {
  ...librarianOptionFields,
  catalog: optionField.path("the path of a file or folder").optional(),
  store: optionField.port<CatalogStore>("read").optional(),
  minConfidence: optionField.number(0, 1).optional(),
  maxResults: optionField.integer(1, 1_000).optional(),
  humanReviewBelow: optionField.number(0, 1).optional(),
  approvalBelow: optionField.number(0, 1).optional(),
  profile: optionField.callback<ScoringProfile>().optional(),
  outcomes: z
    .union(
      [
        optionField.path("a path or postgres://..."),
        optionField.port<OutcomeStore>("record", "read"),
      ],
      "expected a path, postgres://... or an object with record and read",
    )
    .optional(),
};

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<WorkflowSelectorOptions> = z
  .strictObject(shape)
  .refine(({ catalog, store }) => (catalog === undefined) !== (store === undefined), {
    path: ["catalog"],
    error: "expected the path of a file or folder, or `store` instead of it",
  });
