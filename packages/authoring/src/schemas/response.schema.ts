import {
  type DelegateRequest,
  type ErrorCode,
  type ErrorInfo,
  errorCodes,
  type MergeStrategy,
  type Response,
  type ResponseFields,
  responseLimits,
  type Source,
} from "@constellation/core";
import { maxUserLimits, mergeStrategyForm, readMergeStrategy } from "@constellation/core/checks";
import { z } from "zod";

const text = z.string().max(responseLimits.textLength);
const share = z.number().min(0).max(1);
const record = z.record(z.string(), z.unknown());
const names = z.array(text).max(maxUserLimits);

/** One of the twelve codes. */
export const errorCodeSchema: z.ZodType<ErrorCode> = z.enum(
  Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]], // the keys of a non-empty constant
);

/** Checks an error inside a response. */
export const errorInfoSchema: z.ZodType<ErrorInfo> = z.object({
  code: errorCodeSchema,
  message: text,
  librarian: text.optional(),
  query: z.string().optional(),
  recoverable: z.boolean().optional(),
  suggestion: text.optional(),
  details: record.optional(),
});

/** Checks one source of an answer. */
export const sourceSchema: z.ZodType<Source> = z.object({
  name: text.refine((name) => name.trim() !== "", { error: "expected text that is not blank" }),
  url: text.optional(),
  type: text.optional(),
  relevance: share.optional(),
});

/** Checks one delegate. */
export const delegateRequestSchema: z.ZodType<DelegateRequest> = z.object({
  to: text.min(1),
  query: z.string().max(responseLimits.answerLength).optional(),
  context: record.optional(),
  user: z.strictObject({ teams: names.optional(), roles: names.optional() }).optional(),
});

/** Checks a merge strategy: a name, a quorum or a function. */
export const mergeStrategySchema: z.ZodType<MergeStrategy> = z.custom<MergeStrategy>(
  (value) => readMergeStrategy(value) !== undefined,
  { error: `expected ${mergeStrategyForm}` },
);

/** Checks a response, as `validateResponse` does, with every problem listed instead of the first. */
export const responseSchema: z.ZodType<Response> = z
  .object({
    answer: z.string().max(responseLimits.answerLength).optional(),
    headline: text.optional(),
    sources: z.array(sourceSchema).max(responseLimits.items).optional(),
    delegate: z
      .union([delegateRequestSchema, z.array(delegateRequestSchema).max(responseLimits.items)])
      .optional(),
    merge: mergeStrategySchema.optional(),
    confidence: share.optional(),
    partial: z.boolean().optional(),
    error: errorInfoSchema.optional(),
    metadata: record.optional(),
  })
  .refine(hasContent, { error: "expected at least one of answer, delegate and error" });

function hasContent(fields: ResponseFields): fields is Response {
  const { answer, delegate, error } = fields;
  return (
    (answer !== undefined && answer.trim() !== "") ||
    error !== undefined ||
    (delegate !== undefined && !(Array.isArray(delegate) && delegate.length === 0))
  );
}
