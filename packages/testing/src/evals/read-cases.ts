import { describeValue } from "@constellation/core/checks";
import type { z } from "zod";
import type { EvalCase } from "./eval-case.js";
import { evalCaseSchema } from "./eval-case.schema.js";

/** Limits of one file of cases. */
const limits = { cases: 10_000, lineLength: 100_000, problems: 20 } as const;

/**
 * Reads cases from JSON lines: one case per line, blank lines left out.
 *
 * @param text - The whole file, at most 10,000 cases of 100,000 characters each.
 * @param fileName - Names it in errors.
 * @returns At least one case, in the order of the lines.
 * @throws TypeError that names file, line, key and value of everything that is wrong, up to 20.
 *
 * @beta
 */
export function readCases(text: string, fileName: string): readonly EvalCase[] {
  const cases: EvalCase[] = [];
  const problems: string[] = [];
  const lineOf = new Map<string, number>();
  let line = 0;
  for (const written of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    line++;
    if (written.trim() === "") continue;
    const at = `${fileName}:${line}`;
    const { value, problems: own } = readCase(written);
    problems.push(...own.map((problem) => `${at}: ${problem}`));
    if (value === undefined) continue;
    const known = lineOf.get(value.id);
    if (known !== undefined) {
      problems.push(`${at}: id: ${describeValue(value.id)} is also the id of line ${known}`);
    }
    lineOf.set(value.id, line);
    cases.push(value);
  }
  if (cases.length === 0 && problems.length === 0) problems.push(`${fileName}: holds no case`);
  if (cases.length > limits.cases) {
    problems.push(`${fileName}: holds ${cases.length} cases, at most ${limits.cases} are read`);
  }
  if (problems.length > 0) throw new TypeError(listed(problems));
  return cases;
}

interface Reading {
  readonly value?: EvalCase;
  readonly problems: readonly string[];
}

function readCase(written: string): Reading {
  if (written.length > limits.lineLength) {
    return { problems: [`is longer than ${limits.lineLength} characters`] };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(written);
  } catch {
    return {
      problems: ['is not JSON. A case looks like {"id": "…", "query": "…", "expect": {…}}'],
    };
  }
  const { data, error } = evalCaseSchema.safeParse(parsed, { reportInput: true });
  return data === undefined
    ? { problems: error.issues.map(describeIssue) }
    : { value: data, problems: [] };
}

function describeIssue({ path, message, input, ...issue }: z.core.$ZodIssue): string {
  const key = path.length === 0 ? "" : `${path.join(".")}: `;
  if (issue.code === "unrecognized_keys") {
    return `${key}unknown key ${issue.keys.map(describeValue).join(", ")}`;
  }
  return `${key}${message}, got ${describeValue(input)}`;
}

function listed(problems: readonly string[]): string {
  const more = problems.length - limits.problems;
  const shown = problems.slice(0, limits.problems);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
