import { readJsonReply } from "@constellation/authoring";
import { z } from "zod";
import { parseReply } from "../src/reply/parse-reply.js";
import type { ProvidedWorkflow } from "../src/reply/selection.js";
import { type CaseResult, differs, first } from "./case-result.js";
import { readCases } from "./data-folder.js";

type Fields = Readonly<Record<string, unknown>>;

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

/** Runs the cases of reading replies, all of them by the parser that is shipped. */
export function runReplyCases(folder: string): readonly CaseResult[] {
  return readCases(folder, "parser-cases.json", parserCase).map(
    ({ id, raw_llm_response: raw, expected }) => {
      const profile = followed.has(id.slice(-3)) ? "seeds" : "kubernaut";
      const read = readBySeeds(raw);
      const verdict = read === undefined ? "error" : "ok";
      const checks = (expected.assertions ?? []).map((one) =>
        !Object.hasOwn(read ?? {}, one.field) ? undefined : check(valueAt(read, one.field), one),
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

/** The workflows that a reply names, each with the parameters it gives, as texts. */
function providedIn(reply: string): readonly ProvidedWorkflow[] {
  const found = readJsonReply(reply) ?? {};
  const { selected_workflow, alternative_workflows } = found;
  return [
    found,
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
