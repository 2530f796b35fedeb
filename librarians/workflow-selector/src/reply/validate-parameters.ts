import { RE2JS } from "re2js";
import type { WorkflowParameter } from "../catalog/workflow.js";
import type { ParameterValue, ReplyIssue } from "./selection.js";

/** Parameters that the system fills in. A reply may leave them out, and they are never dropped. */
export const systemParameters: ReadonlySet<string> = new Set([
  "TARGET_RESOURCE_NAME",
  "TARGET_RESOURCE_KIND",
  "TARGET_RESOURCE_NAMESPACE",
  "TARGET_RESOURCE_API_VERSION",
]);

/** Result of validating parameters. */
export interface ParameterValidation {
  /** Every error, in the order of the schema; `path` is the name. None: valid. */
  readonly errors: readonly ReplyIssue[];
  readonly warnings: readonly string[];
  /** Names that the workflow does not declare, in the order given. */
  readonly dropped: readonly string[];
  /** The parameters that are forwarded: those given, without the dropped ones. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}

/** Options for {@link validateParameters}. */
export interface ParameterOptions {
  /**
   * Whether required ones may be missing.
   *
   * @default false
   */
  readonly allowOpen?: boolean | undefined;
}

const maxPatternLength = 1_024;

/**
 * Checks parameters against the schemas of a workflow: required, type, minimum, maximum, enum, pattern and
 * `depends_on`, all errors together. Names match exactly and nothing is converted. A pattern that is not a regular
 * expression, has look-around or back-references, or has more than 1,024 characters, is not applied, with a warning.
 *
 * @param given - Undefined is the same as empty.
 */
export function validateParameters(
  schemas: readonly WorkflowParameter[] | null | undefined,
  given: Readonly<Record<string, unknown>> = {},
  { allowOpen = false }: ParameterOptions = {},
): ParameterValidation {
  const errors: ReplyIssue[] = [];
  const warnings: string[] = [];
  const declared = new Set((schemas ?? []).map(({ name }) => name));
  for (const schema of schemas ?? []) {
    const { name, required } = schema;
    if (!has(given, name)) {
      const isNeeded = required && !allowOpen && !systemParameters.has(name);
      if (isNeeded) errors.push({ path: name, message: `${name} is required` });
      continue;
    }
    const found = checkValue(schema, given[name]);
    errors.push(...found.errors.map((message) => ({ path: name, message: `${name} ${message}` })));
    warnings.push(...found.warnings.map((message) => `${name}: ${message}`));
    for (const other of schema.dependsOn ?? []) {
      if (!has(given, other))
        errors.push({ path: name, message: `${name} needs ${other} (depends_on)` });
    }
  }
  const names = Object.keys(given).filter((name) => has(given, name));
  const dropped = names.filter((name) => !declared.has(name) && !systemParameters.has(name));
  for (const name of names) {
    if (declared.has(name) || dropped.includes(name) || isFlat(given[name])) continue;
    errors.push({ path: name, message: `${name} must be a plain value` });
  }
  const kept = names.filter((name) => !dropped.includes(name)).map((name) => [name, given[name]]);
  // Every value is plain where there are no errors. Where there are some, callers only display the record.
  const parameters = Object.fromEntries(kept) as ParameterValidation["parameters"];
  return { errors, warnings, dropped, parameters };
}

function has(given: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== undefined && given[name] !== null;
}

function checkValue(schema: WorkflowParameter, value: unknown) {
  const { type, minimum, maximum, enum: allowed, pattern } = schema;
  const errors: string[] = [];
  const warnings: string[] = [];
  if (!isOfType(value, type)) {
    return { errors: [`must be of type ${type}`], warnings };
  }
  if (typeof value === "number") {
    if (minimum !== undefined && value < minimum) errors.push(`is below the minimum ${minimum}`);
    if (maximum !== undefined && value > maximum) errors.push(`is above the maximum ${maximum}`);
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (allowed !== undefined && !values.every((one) => allowed.some((other) => other === one))) {
    errors.push(`is not one of the allowed values (enum): ${allowed.join(", ")}`);
  }
  if (pattern !== undefined && pattern.length > maxPatternLength) {
    warnings.push(`its pattern exceeds ${maxPatternLength} characters and was not applied`);
  } else if (pattern !== undefined && typeof value === "string") {
    const match = matchPattern(pattern, value);
    if (match === "mismatch") errors.push(`does not match the pattern ${pattern}`);
    if (match === "unusable") {
      warnings.push("its pattern is not a linear regular expression (RE2) and was not applied");
    }
  }
  return { errors, warnings };
}

function isOfType(value: unknown, type: WorkflowParameter["type"]): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
    case "float":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value) && value.every(isScalar);
    default:
      return typeof value === type;
  }
}

function isFlat(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** Outcome of comparing a value with a pattern. `unusable`: the pattern is not a regular expression, or not a linear one. */
type PatternMatch = "match" | "mismatch" | "unusable";

/**
 * Compares a value with a regular expression that someone else wrote, in time proportional to the value: RE2 has no
 * backtracking, and no look-around and back-references either.
 */
function matchPattern(pattern: string, value: string): PatternMatch {
  try {
    const form = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return form.matcher(value).find() ? "match" : "mismatch";
  } catch {
    return "unusable";
  }
}
