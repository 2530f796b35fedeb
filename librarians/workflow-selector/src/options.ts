import { z } from "zod";
import type { CatalogStore } from "./catalog/catalog.js";
import { approvalDefaults } from "./judgement/approve.js";
import type { ScoringProfile } from "./search/profile.js";

/** Options for {@link createWorkflowSelectorLibrarian}. Exactly one of `catalog` and `store` is needed. */
export interface WorkflowSelectorOptions {
  /** Path of a YAML or JSON file, or of a folder of them. Changes are followed. */
  readonly catalog?: string | undefined;
  /** Gives the catalog from somewhere else. */
  readonly store?: CatalogStore | undefined;
  /**
   * How others find this librarian.
   *
   * @default "Proposes the remediation workflow for an incident, with parameters; it runs nothing."
   */
  readonly description?: string | undefined;
  /**
   * Unique in its router: `^[a-z0-9-]+$`, at most 64 characters.
   *
   * @default "workflow-selector"
   */
  readonly id?: string | undefined;
  /** For people. The id where there is none. */
  readonly name?: string | undefined;
  /** Who owns the catalog. */
  readonly team?: string | undefined;
  /**
   * `^[a-z0-9.-]+$`, hierarchical.
   *
   * @default ["remediation.selection"]
   */
  readonly capabilities?: readonly string[] | undefined;
  /** Questions it answers well, as people ask them. */
  readonly examples?: readonly string[] | undefined;
  /** Ids it may ask for facts, or delegate a foreign question to. None given: anyone; empty: nobody. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Most time for one call, in milliseconds: 1 to 2147483647. What remains of the run, where not given. */
  readonly timeoutMs?: number | undefined;
  /**
   * Least confidence of a proposal, 0 to 1.
   *
   * @default 0.7
   */
  readonly minConfidence?: number | undefined;
  /**
   * Most entries of a search: 1 to 1,000.
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

const share = () => z.number("expected a number from 0 to 1").min(0).max(1).optional();
const words = (what: string) =>
  z.string(`expected ${what}`).refine((value) => value.trim() !== "", `expected ${what}`);
const matching = (form: RegExp) =>
  z.string(`expected ${form.source}`).regex(form, `expected ${form.source}`);

const shape = {
  catalog: words("the path of a file or folder").meta({ format: "path" }).optional(),
  store: z.custom<CatalogStore>(isStore, "expected an object with read").optional(),
  description: words("a sentence").optional(),
  id: matching(/^[a-z0-9-]{1,64}$/).optional(),
  name: words("a name").optional(),
  team: words("a name").optional(),
  capabilities: z.array(matching(/^[a-z0-9.-]{1,128}$/), "expected an array").optional(),
  examples: z.array(words("a question"), "expected an array").optional(),
  delegatesTo: z.array(matching(/^[a-z0-9-]{1,64}$/), "expected an array").optional(),
  timeoutMs: z.number("expected a number of milliseconds").min(1).max(2_147_483_647).optional(),
  minConfidence: share(),
  maxResults: z.number("expected an integer from 1 to 1000").int().min(1).max(1_000).optional(),
  humanReviewBelow: share(),
  approvalBelow: share(),
  profile: z
    .custom<ScoringProfile>((value) => typeof value === "function", "expected a function")
    .optional(),
};

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<WorkflowSelectorOptions> = z
  .strictObject(shape)
  .refine(({ catalog, store }) => (catalog === undefined) !== (store === undefined), {
    path: ["catalog"],
    error: "expected the path of a file or folder, or `store` instead of it",
  });

/** @throws TypeError for a wrong type or key and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): WorkflowSelectorOptions {
  const checked = optionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const known = Object.keys(shape).join(", ");
    throw new TypeError(
      `options: unknown key ${JSON.stringify(issue.keys[0])}. Known are ${known}.`,
    );
  }
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>>)[key],
    options,
  ); // a path zod walked before
  const shown = JSON.stringify(value)?.slice(0, 60) ?? String(value);
  const message = `${["options", ...path].join(".")}: ${issue?.message}, got ${shown}.`;
  throw typeof value === "string" || typeof value === "number"
    ? new RangeError(message)
    : new TypeError(message);
}

function isStore(value: unknown): boolean {
  return typeof (value as Partial<CatalogStore> | null | undefined)?.read === "function";
}
