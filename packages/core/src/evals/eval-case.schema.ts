import { z } from "zod";
import { type ErrorReason, errorReasons } from "../contract/error-code.js";
import { errorCodeSchema } from "../contract/response.schema.js";
import { isRecord } from "../contract/unknown-value.js";
import {
  type EvalCase,
  type EvalExpect,
  type ExpectedIds,
  expectationNames,
  type Wanted,
} from "./eval-case.js";
import { patternProblem } from "./text-matcher.js";

const longest = { id: 200, text: 1_000, query: 10_000, list: 100 } as const;

/** Checks what is expected of one response. */
export const evalExpectSchema: z.ZodType<EvalExpect> = z
  .strictObject(
    {
      librarians: checked<ExpectedIds>(idsProblem),
      notLibrarians: listOf(text(longest.id), "ids"),
      delegates: checked<ExpectedIds>(idsProblem),
      mustMention: listOf(checked<Wanted>(wantedProblem), "texts"),
      mustNotMention: listOf(checked<string>(textProblem), "texts"),
      minConfidence: share(),
      maxConfidence: share(),
      sources: listOf(checked<Wanted>(wantedProblem), "names"),
      errorCode: errorCodeSchema,
      errorReason: z.enum(Object.keys(errorReasons) as [ErrorReason, ...ErrorReason[]]), // the keys of a non-empty constant
    },
    "expected an object",
  )
  .partial()
  .refine((expect) => Object.keys(expect).length > 0, {
    error: `expected at least one of ${expectationNames.join(", ")}`,
  });

/** Checks one case: queries of at most 10,000 characters, texts of 1,000, lists of 100. */
export const evalCaseSchema: z.ZodType<EvalCase> = z.strictObject(
  {
    id: text(longest.id),
    query: z
      .string("expected text")
      .max(longest.query, `expected at most ${longest.query} characters`),
    to: text(longest.id).optional(),
    expect: evalExpectSchema,
    tags: z.array(text(longest.id), "expected a list of names").max(longest.list).optional(),
  },
  "expected an object",
);

function text(most: number) {
  const error = `expected text of 1 to ${most} characters`;
  return z.string(error).min(1, error).max(most, error);
}

function share() {
  const error = "expected a number from 0 to 1";
  return z.number(error).min(0, error).max(1, error);
}

function listOf<Item>(item: z.ZodType<Item>, what: string) {
  const error = `expected a list of 1 to ${longest.list} ${what}`;
  return z.array(item, error).min(1, error).max(longest.list, error);
}

/** A value that `problemOf` finds nothing wrong with. */
function checked<Value>(problemOf: (value: unknown) => string | undefined): z.ZodType<Value> {
  return z.custom<Value>((value) => problemOf(value) === undefined, {
    error: ({ input }) => problemOf(input) ?? "",
  });
}

function idsProblem(value: unknown): string | undefined {
  const isExactly = isRecord(value) && Object.keys(value).join() === "exactly";
  const ids = isExactly ? value.exactly : value;
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === "string" && id !== "");
  const isSized = isList && ids.length <= longest.list && (isExactly || ids.length > 0);
  return isSized ? undefined : 'expected a list of ids, or { "exactly": [ids] }';
}

function wantedProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textProblem(value);
  if (value.length === 0 || value.length > longest.list) {
    return `expected a list of 1 to ${longest.list} texts`;
  }
  return value.map(textProblem).find((problem) => problem !== undefined);
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== "string" || value.trim() === "" || value.length > longest.text) {
    return `expected text of 1 to ${longest.text} characters, or /pattern/`;
  }
  return patternProblem(value);
}
