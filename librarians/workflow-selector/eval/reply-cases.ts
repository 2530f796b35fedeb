import { readJsonReply } from "@constellation/core/authoring";
import { z } from "zod";
import { readEntry } from "../src/catalog/workflow.schema.js";
import { approvalOf } from "../src/gates/approve.js";
import { parseReply } from "../src/reply/parse-reply.js";
import type { ProvidedWorkflow } from "../src/reply/selection.js";
import { validateParameters } from "../src/reply/validate-parameters.js";
import { type CaseResult, differs } from "./case-result.js";
import { readCases } from "./data-folder.js";
import { readKubernautReply } from "./kubernaut-reply.js";

const record = z.record(z.string(), z.unknown());
type Fields = Readonly<Record<string, unknown>>;

const parameterCase = z.object({
  id: z.string(),
  schema: z.array(record).nullable(),
  parameters: record,
  expected: record,
});

/** Runs the cases of the parameter rules. */
export function runParameterCases(folder: string): readonly CaseResult[] {
  return readCases(folder, "parameter-validation-cases.json", parameterCase).map(
    ({ id, schema, parameters, expected }) => {
      const {
        errors,
        warnings,
        dropped,
        parameters: kept,
      } = validateParameters(parametersOf(schema), parameters);
      const { is_valid = true, stripped = [] } = expected;
      const told = errors.map(({ message }) => message).join();
      const problems = [
        differs(errors.length === 0, is_valid),
        differs(dropped, stripped),
        ...textsOf(expected.error_contains).map((part) => lacks(told, part)),
        ...textsOf(expected.warning_contains).map((part) => lacks(warnings.join(), part)),
        ...textsOf(expected.kept_keys).map((key) => lacks(Object.keys(kept), key)),
        ...textsOf(expected.removed_keys).map((key) =>
          Object.hasOwn(kept, key) ? `${key} was kept` : undefined,
        ),
      ];
      return { id, profile: "seeds", problem: first(problems) };
    },
  );
}

/** Those that follow the contract, as far as they ask for what is in it. */
const followed = new Set("002 003 014 017 042 066 068 069 084".split(" "));
const parserCase = z.object({
  id: z.string(),
  raw_llm_response: z.string(),
  expected: z.object({
    verdict: z.string(),
    assertions: z.array(z.looseObject({ field: z.string() })).optional(),
  }),
});

/** Runs the cases of reading replies. */
export function runReplyCases(folder: string): readonly CaseResult[] {
  return readCases(folder, "parser-cases.json", parserCase).map(
    ({ id, raw_llm_response: raw, expected }) => {
      const profile = followed.has(id.slice(-3)) ? "seeds" : "kubernaut";
      const read = profile === "seeds" ? readBySeeds(raw) : readKubernautReply(raw);
      const verdict = read === undefined ? "error" : "ok";
      const checks = (expected.assertions ?? []).map((one) =>
        profile === "seeds" && !Object.hasOwn(read ?? {}, one.field)
          ? undefined
          : check(valueAt(read, one.field), one),
      );
      return {
        id,
        profile,
        problem: first([differs(verdict, expected.verdict), ...(read === undefined ? [] : checks)]),
      };
    },
  );
}

/** What the cases call by another name. Other fields are not in the contract. */
function readBySeeds(raw: string): Fields | undefined {
  const { selection } = parseReply(raw, providedIn(raw));
  if (selection === undefined) return undefined;
  const [selected, ...alternatives] = selection.strategies;
  return {
    workflow_id: selected?.workflow_id,
    confidence: selected?.confidence,
    rationale: selected?.rationale,
    parameters: selected?.parameters,
    rca_summary: selection.analysis_summary,
    severity: selection.rca_severity,
    alternative_workflows: alternatives,
    "alternative_workflows[0].rationale": alternatives[0]?.rationale,
    "alternative_workflows[0].parameters": alternatives[0]?.parameters,
  };
}

/** `a.b[0].c`, or a field of just that name. */
function valueAt(fields: Fields | undefined, path: string): unknown {
  if (fields !== undefined && Object.hasOwn(fields, path)) return fields[path];
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== "")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null ? (value as Fields)[key] : undefined,
      fields,
    );
}

function check(actual: unknown, { op, value, key, tolerance, not }: Fields): string | undefined {
  const isSo = holds(actual, { op, value, key, tolerance });
  return isSo === (not !== true)
    ? undefined
    : `${JSON.stringify(actual)} is against ${String(op)} ${JSON.stringify(value)}`;
}

function holds(actual: unknown, { op, value, key, tolerance }: Fields): boolean {
  const list: readonly unknown[] = Array.isArray(actual) ? actual : [];
  const number = typeof actual === "number" ? actual : Number.NaN;
  switch (op) {
    case "equals":
      return differs(sorted(actual), sorted(value)) === undefined;
    case "contains":
      return typeof actual === "string" ? actual.includes(String(value)) : list.includes(value);
    case "approx":
      return Math.abs(number - Number(value)) <= Number(tolerance ?? 0.05);
    case "gte":
      return number >= Number(value);
    case "gt":
      return number > Number(value);
    case "lte":
      return number <= Number(value);
    case "length":
      return (typeof actual === "string" ? actual.length : list.length) === Number(value);
    case "has_key":
      return Object.hasOwn(Object(actual), String(key ?? value));
    case "has_entry":
      return differs((Object(actual) as Fields)[String(key)], value) === undefined;
    case "same_elements":
      return (
        differs(
          [...list].map(String).sort(),
          z.array(z.unknown()).parse(value).map(String).sort(),
        ) === undefined
      );
    case "any_element_contains":
      return list.some((one) => String(one).includes(String(value)));
    case "any_element_equals":
      return list.includes(value);
    case "is_null":
      return actual === undefined || actual === null;
    case "is_empty":
      return (
        actual === undefined ||
        actual === null ||
        actual === "" ||
        Object.keys(Object(actual)).length === 0
      );
    default:
      return false;
  }
}

/** Keys in one order, so that equal records are equal texts. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Trusting the model's own review flag is not followed. */
const refused = "sc-011";
const correctionFollowed = new Set(["sc-004", "sc-010", "sc-012"]);
const correctionCase = z.object({
  id: z.string(),
  allowlist: z.array(z.string()),
  schema: z.array(record).optional(),
  answers: z.array(z.looseObject({ workflow_id: z.string().optional() })),
  max_attempts: z.number(),
  expected: record,
});

/** Runs the cases of correcting a reply: each answer as one attempt, until one is valid. */
export function runCorrectionCases(folder: string): readonly CaseResult[] {
  const cases = readCases(folder, "self-correction-cases.json", correctionCase).filter(
    ({ id }) => id !== refused,
  );
  return cases.map(({ id, allowlist, schema, answers, max_attempts, expected }) => {
    const parameters = parametersOf(schema ?? null) ?? undefined;
    const provided = allowlist.map((workflow_id) => ({
      workflow_id,
      version: "1.0.0",
      parameters,
    }));
    const parsed = answers
      .slice(0, max_attempts)
      .map((answer) =>
        parseReply(
          JSON.stringify({ root_cause_analysis: { summary: "s" }, selected_workflow: answer }),
          provided,
        ),
      );
    const valid = parsed.findIndex(({ selection }) => selection !== undefined);
    const tried = valid === -1 ? parsed : parsed.slice(0, valid + 1);
    const issue = parsed[0]?.issues?.map(({ path, message }) => `${path} ${message}`) ?? [];
    const facts: Fields = {
      valid: valid !== -1,
      workflow_id: parsed[valid]?.selection?.strategies[0]?.workflow_id,
      needs_human_review: valid === -1,
      attempts: tried.length,
      attempts_valid: tried.map(({ selection }) => selection !== undefined),
      corrections: tried.length - 1,
    };
    const problems = [
      ...Object.entries(expected).flatMap(([key, value]) =>
        Object.hasOwn(facts, key) ? differs(facts[key], value) : [],
      ),
      ...textsOf(expected.error_contains).map((part) => lacks(issue.join(), part)),
      ...textsOf(expected.first_attempt_first_error_contains).map((part) =>
        lacks(issue[0] ?? "", part),
      ),
    ];
    return {
      id,
      profile: correctionFollowed.has(id) ? "seeds" : "kubernaut",
      problem: first(problems),
    };
  });
}

const gateCase = z.object({
  id: z.string(),
  input: z.object({
    environment: z.string().nullish(),
    confidence: z.number(),
    confidence_threshold: z.number().nullish(),
    action_type: z.string().nullish(),
    remediation_target: z.object({ kind: z.string(), name: z.string() }).nullish(),
  }),
  expected: record,
});

/** Runs the cases of the gates. */
export function runGateCases(folder: string): readonly CaseResult[] {
  return readCases(folder, "confidence-gate-cases.json", gateCase).map(
    ({ id, input, expected }) => {
      const {
        environment,
        confidence,
        action_type,
        remediation_target: target,
        confidence_threshold,
      } = input;
      const facts = {
        environment: environment ?? undefined,
        confidence,
        actionType: action_type ?? undefined,
        target,
      };
      const { approvalRequired, humanReview } = approvalOf(facts, {
        approvalBelow: confidence_threshold ?? undefined,
      });
      const problems = [
        ...("approval_required" in expected
          ? [differs(approvalRequired, expected.approval_required)]
          : []),
        ...("needs_human_review" in expected
          ? [differs(humanReview, expected.needs_human_review)]
          : []),
      ];
      return {
        id,
        profile: "seeds",
        problem: problems.length === 0 ? "it expects nothing known" : first(problems),
      };
    },
  );
}

/** The workflows that a reply names, each with the parameters it gives, as texts. */
function providedIn(reply: string): readonly ProvidedWorkflow[] {
  const { selected_workflow, alternative_workflows } = readJsonReply(reply) ?? {};
  return [
    selected_workflow,
    ...(Array.isArray(alternative_workflows) ? alternative_workflows : []),
  ].flatMap((one) => {
    const { success, data } = z
      .looseObject({ workflow_id: z.string(), parameters: z.unknown().optional() })
      .safeParse(one);
    if (!success) return [];
    const names = typeof data.parameters === "object" ? Object.keys(data.parameters ?? {}) : [];
    const parameters = names.map((name) => ({ name, type: "string" as const, required: false }));
    return [{ workflow_id: data.workflow_id, version: "1.0.0", parameters }];
  });
}

function parametersOf(schema: readonly unknown[] | null) {
  if (schema === null) return null;
  const entry = readEntry({
    id: "w",
    version: "1",
    description: "d",
    labels: {},
    parameters: schema,
  });
  if ("issues" in entry) throw new Error(JSON.stringify(entry.issues));
  return entry.workflow.parameters;
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return z.array(z.string()).parse([value].flat());
}

function lacks(whole: string | readonly string[], part: string): string | undefined {
  return whole.includes(part)
    ? undefined
    : `${part} is not in ${JSON.stringify(whole).slice(0, 200)}`;
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
