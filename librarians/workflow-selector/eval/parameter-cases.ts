import { z } from "zod";
import type { WorkflowParameter } from "../src/catalog/workflow.js";
import { readEntry } from "../src/catalog/workflow.schema.js";
import { validateParameters } from "../src/reply/validate-parameters.js";
import { type CaseResult, differs, first, lacks, textsOf } from "./case-result.js";
import { readCases } from "./data-folder.js";

const record = z.record(z.string(), z.unknown());

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
      const messages = errors.map(({ message }) => message).join();
      const problems = [
        differs(errors.length === 0, is_valid),
        differs(dropped, stripped),
        ...textsOf(expected.error_contains).map((part) => lacks(messages, part)),
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

/** Parameter schemas as an entry of a catalog has them. */
export function parametersOf(
  schema: readonly unknown[] | null,
): readonly WorkflowParameter[] | null {
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
