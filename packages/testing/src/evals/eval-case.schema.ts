import { errorCodeSchema } from "@constellation/authoring/schemas";
import { type ErrorReason, errorReasons } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { z } from "zod";
import {
  type EvalCase,
  type EvalExpect,
  type ExpectedIds,
  expectationNames,
  type Wanted,
} from "./eval-case.js";
import { patternProblem } from "./text-matcher.js";

const maximums = { id: 200, text: 1_000, query: 10_000, list: 100 } as const;

/** Checks what is expected of one response. */
export const evalExpectSchema: z.ZodType<EvalExpect> = z
  .strictObject(
    {
      librarians: checked<ExpectedIds>(idsProblem),
      notLibrarians: listField(text(maximums.id), "ids"),
      delegates: checked<ExpectedIds>(idsProblem),
      mustMention: listField(checked<Wanted>(wantedProblem), "texts"),
      mustNotMention: listField(checked<string>(textProblem), "texts"),
      minConfidence: share(),
      maxConfidence: share(),
      sources: listField(checked<Wanted>(wantedProblem), "names"),
      order: checked<ExpectedIds>(idsProblem),
      written: checked<ExpectedIds>(idsProblem),
      maxHops: amount(),
      maxDurationMs: amount(),
      maxTokens: amount(),
      maxCostUsd: amount(),
      errorCode: errorCodeSchema,
      errorReason: z.enum(Object.keys(errorReasons) as [ErrorReason, ...ErrorReason[]]), // the keys of a non-empty constant
    },
    "expected an object",
  )
  .partial()
  .refine((expect) => Object.keys(expect).length > 0, {
    error: `expected at least one of ${expectationNames.join(", ")}`,
  });

/**
 * Checks one case: queries of at most 10,000 characters, texts of 1,000, lists of 100.
 *
 * @beta
 */
export const evalCaseSchema: z.ZodType<EvalCase> = z.strictObject(
  {
    id: text(maximums.id),
    query: z
      .string("expected text")
      .max(maximums.query, `expected at most ${maximums.query} characters`),
    to: text(maximums.id).optional(),
    expect: evalExpectSchema,
    tags: z.array(text(maximums.id), "expected a list of names").max(maximums.list).optional(),
  },
  "expected an object",
);

function text(maxLength: number) {
  const error = `expected text of 1 to ${maxLength} characters`;
  return z.string(error).min(1, error).max(maxLength, error);
}

function share() {
  const error = "expected a number from 0 to 1";
  return z.number(error).min(0, error).max(1, error);
}

function amount() {
  const error = "expected a number of 0 or more";
  return z.number(error).min(0, error);
}

function listField<Item>(item: z.ZodType<Item>, what: string) {
  const error = `expected a list of 1 to ${maximums.list} ${what}`;
  return z.array(item, error).min(1, error).max(maximums.list, error);
}

/** A value without a problem that `findProblem` reports. */
function checked<Value>(findProblem: (value: unknown) => string | undefined): z.ZodType<Value> {
  return z.custom<Value>((value) => findProblem(value) === undefined, {
    error: ({ input }) => findProblem(input) ?? "",
  });
}

function idsProblem(value: unknown): string | undefined {
  const isExactly = isRecord(value) && Object.keys(value).join() === "exactly";
  const ids = isExactly ? value.exactly : value;
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === "string" && id !== "");
  const isSized = isList && ids.length <= maximums.list && (isExactly || ids.length > 0);
  return isSized ? undefined : 'expected a list of ids, or { "exactly": [ids] }';
}

function wantedProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textProblem(value);
  if (value.length === 0 || value.length > maximums.list) {
    return `expected a list of 1 to ${maximums.list} texts`;
  }
  return value.map(textProblem).find((problem) => problem !== undefined);
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== "string" || value.trim() === "" || value.length > maximums.text) {
    return `expected text of 1 to ${maximums.text} characters, or /pattern/`;
  }
  return patternProblem(value);
}
