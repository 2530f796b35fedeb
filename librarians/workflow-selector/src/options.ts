import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
} from "@constellation/authoring";
import { z } from "zod";
import type { CatalogStore } from "./catalog/catalog.js";
import type { LabelNames } from "./incident/read-alerts.js";
import type { OutcomeStore } from "./outcomes/outcome.js";
import {
  createEnvironmentReader,
  type EnvironmentNames,
  environments,
} from "./policy/environment.js";
import { approvalDefaults } from "./policy/policy.js";
import type { ApprovalWait } from "./proposal/wait-for-approval.js";
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
   * More names of environments, by `production`, `staging`, `test` and `development`: `{ production: ["blue"] }`. At most 100 each, of
   * at most 63 characters. An environment whose name is not known counts as production.
   *
   * @default none beside the usual ones
   */
  readonly environments?: EnvironmentNames | undefined;
  /**
   * Labels that alerts have for what is read of them, before the usual ones: `namespace`, `cluster_name`, `severity`,
   * `environment`, `priority`, `risk_tolerance`, `business_category`, `resource_kind`, `resource_name`, or a kind of object:
   * `{ environment: ["stage"], Deployment: ["app"] }`. At most 50, of at most 20 names.
   *
   * @default the usual ones
   */
  readonly labels?: LabelNames | undefined;
  /**
   * How confidence is made of semantic fit and labels.
   *
   * @default 0.5 * semantic + 0.5 * label match
   */
  readonly profile?: ScoringProfile | undefined;
  /**
   * The outcome of workflows that were proposed before: shown to people with a proposal, and added to its confidence
   * (-0.15 to 0.05). A model never reads it. The file of a journal, or its address in Postgres, is opened by `openOutcomes`.
   */
  readonly outcomes?: string | OutcomeStore | undefined;
  /**
   * Waits for a person where a proposal must be looked at or approved, and gives it with the decision. The router needs a
   * `journal`; without one such a proposal is an error.
   *
   * @default it does not wait: `metadata.approval` says what is needed
   */
  readonly waitForApproval?: ApprovalWait | undefined;
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

const nameSchema = optionField
  .matching(/[\p{L}\p{N}]/u, "a name")
  .max(63, "expected at most 63 characters");
const usual = createEnvironmentReader();
const environmentsSchema = z.strictObject(
  Object.fromEntries(
    environments.map((one) => [
      one,
      optionField
        .list(
          nameSchema.refine((name) => (usual.read(name) ?? one) === one, {
            error: ({ input }) =>
              `expected a name of ${one}, got one of ${usual.read(String(input))}`,
          }),
          "an array of names",
        )
        .max(100, "expected at most 100 names")
        .optional(),
    ]),
  ),
);
const shape = {
  ...librarianOptionFields,
  catalog: optionField.path("the path of a file or folder").optional(),
  store: optionField.port<CatalogStore>("read").optional(),
  minConfidence: optionField.number(0, 1).optional(),
  maxResults: optionField.integer(1, 1_000).optional(),
  humanReviewBelow: optionField.number(0, 1).optional(),
  approvalBelow: optionField.number(0, 1).optional(),
  environments: environmentsSchema.optional(),
  labels: z
    .record(z.string(), optionField.list(nameSchema, "an array of names").max(20))
    .refine((given) => Object.keys(given).length <= 50, "expected at most 50 labels")
    .optional(),
  profile: optionField.callback<ScoringProfile>().optional(),
  waitForApproval: z
    .strictObject({
      by: z
        .strictObject({
          users: optionField.list(optionField.text("the id of a user")).optional(),
          teams: optionField.list(optionField.text("the name of a team")).optional(),
          roles: optionField.list(optionField.text("the name of a role")).optional(),
        })
        .refine((given) => Object.keys(given).length > 0, "expected users, teams or roles")
        .optional(),
      excludeRequester: optionField.flag().optional(),
      expiresIn: optionField.integer(1, 2_147_483_647).optional(),
    })
    .optional(),
  outcomes: z
    .union(
      [
        optionField.path("the file of a journal or postgres://..."),
        optionField.port<OutcomeStore>("record", "read"),
      ],
      "expected the file of a journal, postgres://... or an object with record and read",
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
