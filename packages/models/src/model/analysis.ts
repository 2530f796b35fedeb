import { readJsonReply } from "@constellation/authoring";
import {
  type AIAnalysis,
  type AIAnalysisRequest,
  type AICompletion,
  MeshError,
} from "@constellation/core";
import { type ZodType, z } from "zod";
import type { JsonSchema } from "./port.js";

/** Maximum number of characters of a reply in an error, as defined by the contract of `AIClient`. */
const replyLength = 10_000;

/**
 * Converts a schema to the JSON schema of its input, which is what the model writes.
 *
 * @throws MeshError `AI_UNAVAILABLE` when JSON schema cannot express it, or it is not an object.
 */
export function toObjectSchema(schema: ZodType, what: string): JsonSchema {
  let problem = `${what} is not an object`;
  try {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    if (json.type === "object") return { ...json, type: "object" };
  } catch {
    problem = `${what} has no JSON schema`;
  }
  throw new MeshError("AI_UNAVAILABLE", "The request's schema cannot be sent to a model.", {
    suggestion: "Use a schema for an object of plain data.",
    details: { problem },
  });
}

/**
 * Parses a completion as an analysis. Checks the stop reason first, then the text.
 *
 * @throws MeshError `AI_UNAVAILABLE` with the problem, the stop reason and the usage.
 */
export async function parseAnalysis<T>(
  completion: AICompletion,
  { schema }: AIAnalysisRequest<T>,
): Promise<AIAnalysis<T>> {
  const { text, stopReason, usage } = completion;
  const fail = (problem: string) =>
    new MeshError("AI_UNAVAILABLE", describeUnusableReply(stopReason), {
      details: { problem, text: text.slice(0, replyLength), stopReason, usage },
    });
  if (stopReason === "refusal") throw fail("the model refused");
  if (stopReason === "max-tokens") throw fail("the reply reached maxTokens and is truncated");
  if (stopReason === "context-full")
    throw fail("the model's context is full, so the reply is truncated");
  const value = readJsonReply(text);
  if (value === undefined) throw fail("the reply holds no JSON object");
  const checked = await schema.safeParseAsync(value);
  if (!checked.success) throw fail(describeIssues(checked.error.issues));
  return { ...completion, value: checked.data };
}

/** Lists the first five issues with their paths, in at most 1,000 characters. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ")
    .slice(0, 1_000);
}

function describeUnusableReply(stopReason: AICompletion["stopReason"]): string {
  if (stopReason === "refusal") return "The model refused.";
  if (stopReason === "end" || stopReason === "stop-sequence") {
    return "The model's reply does not fit the schema.";
  }
  return "The model's reply is truncated.";
}
