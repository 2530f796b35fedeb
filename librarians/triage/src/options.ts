import { z } from "zod";

/** Options for {@link createTriageLibrarian}. All have a default. */
export interface TriageLibrarianOptions {
  /**
   * Unique in its router: `^[a-z0-9-]+$`, at most 64 characters.
   *
   * @default "triage"
   */
  readonly id?: string | undefined;
  /**
   * What it does, in a sentence: how others find it.
   *
   * @default "Reads a question and passes it to those who can answer it."
   */
  readonly description?: string | undefined;
  /** For people. The id where there is none. */
  readonly name?: string | undefined;
  /** Who owns it. */
  readonly team?: string | undefined;
  /** `^[a-z0-9.-]+$`, hierarchical. */
  readonly capabilities?: readonly string[] | undefined;
  /** Ids it may delegate to. None given: anyone. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Most time for one call, in milliseconds: 1 to 2147483647. What remains of the run, where not given. */
  readonly timeoutMs?: number | undefined;
  /**
   * Most delegates of one query. Integer, 1 to 16.
   *
   * @default 3
   */
  readonly maxDelegates?: number | undefined;
  /**
   * Least score at which a delegate fits, above 0 and below 1: the higher, the more queries are
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
   * Most delegates that a model is shown, the best of the ranked match. Integer, 1 to 100.
   *
   * @default 20
   */
  readonly shortlist?: number | undefined;
  /**
   * Most time for a model's analysis of the query, in milliseconds: 1 to 2147483647. A third of what
   * remains of the hop, where that is shorter.
   *
   * @default 2_000
   */
  readonly analysisTimeoutMs?: number | undefined;
  /**
   * Most time for a model's decision, in milliseconds: 1 to 2147483647. A third of what remains of
   * the hop, where that is shorter.
   *
   * @default 1_000
   */
  readonly decisionTimeoutMs?: number | undefined;
}

/** The defaults named in {@link TriageLibrarianOptions}. */
export const triageLibrarianDefaults = {
  id: "triage",
  description: "Reads a question and passes it to those who can answer it.",
  maxDelegates: 3,
  threshold: 0.4,
  useModel: true,
  shortlist: 20,
  analysisTimeoutMs: 2_000,
  decisionTimeoutMs: 1_000,
} as const satisfies TriageLibrarianOptions;

const longestTimerMs = 2_147_483_647;

const shape = {
  id: matching(/^[a-z0-9-]{1,64}$/).optional(),
  description: text("a sentence").optional(),
  name: text("a name").optional(),
  team: text("a name").optional(),
  capabilities: z.array(matching(/^[a-z0-9.-]{1,128}$/), "expected an array").optional(),
  delegatesTo: z.array(matching(/^[a-z0-9-]{1,64}$/), "expected an array").optional(),
  timeoutMs: numberFrom(1, longestTimerMs).optional(),
  maxDelegates: integerFrom(1, 16).optional(),
  threshold: z
    .number("expected a number above 0 and below 1")
    .gt(0, "expected a number above 0 and below 1")
    .lt(1, "expected a number above 0 and below 1")
    .optional(),
  useModel: z.boolean("expected true or false").optional(),
  model: text("the id of a model").optional(),
  shortlist: integerFrom(1, 100).optional(),
  analysisTimeoutMs: numberFrom(1, longestTimerMs).optional(),
  decisionTimeoutMs: numberFrom(1, longestTimerMs).optional(),
};

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<TriageLibrarianOptions> = z.strictObject(shape);

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): TriageLibrarianOptions {
  const checked = optionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue?.code === "unrecognized_keys") {
    throw new TypeError(
      `options: unknown key ${describe(issue.keys[0])}. Known are ${Object.keys(shape).join(", ")}.`,
    );
  }
  if (issue === undefined || issue.path.length === 0) {
    throw new TypeError(`options: expected an object, got ${describe(options)}.`);
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>>)[key], // a path zod walked before
    options,
  );
  const kind = hasRightType(issue, value) ? RangeError : TypeError;
  throw new kind(`${issue.path.join(".")}: ${issue.message}, got ${describe(value)}.`);
}

function hasRightType(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code !== "invalid_type") return true;
  return typeof value === "number" && (issue.expected === "number" || issue.expected === "int");
}

function text(what: string) {
  const error = `expected ${what}`;
  return z.string(error).refine((value) => value.trim() !== "", error);
}

function matching(form: RegExp) {
  const error = `expected ${form.source}`;
  return z.string(error).regex(form, error);
}

function numberFrom(least: number, most: number) {
  const error = `expected a number from ${least} to ${most}`;
  return z.number(error).min(least, error).max(most, error);
}

function integerFrom(least: number, most: number) {
  const error = `expected an integer from ${least} to ${most}`;
  return z.number(error).int(error).min(least, error).max(most, error);
}

/** Names a wrong value, in at most 60 characters. */
function describe(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "number" || typeof value === "boolean" || value == null)
    return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
