import {
  type AIAnalysis,
  type AIAnalysisRequest,
  type AICompletion,
  MeshError,
} from "@constellation/core";
import { readJsonReply } from "@constellation/core/authoring";
import { type ZodType, z } from "zod";
import type { JsonSchema } from "./port.js";

/** Characters of a reply that an error may hold, as the contract of `AIClient` says. */
const replyLength = 10_000;

/**
 * The JSON schema of what a model is to write: a schema's input, since the schema reads it after.
 *
 * @throws MeshError `AI_UNAVAILABLE` when it cannot be written down, or is not an object.
 */
export function jsonSchemaOf(schema: ZodType, what: string): JsonSchema {
  let problem = `${what} is not an object`;
  try {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    if (json.type === "object") return { ...json, type: "object" };
  } catch {
    problem = `${what} has no JSON schema`;
  }
  throw new MeshError("AI_UNAVAILABLE", "The request cannot be put to a model.", {
    suggestion: "Ask with a schema that is an object of plain data.",
    details: { problem },
  });
}

/**
 * Reads a completion as an analysis: why the model stopped first, then the text.
 *
 * @throws MeshError `AI_UNAVAILABLE` with what is wrong, why the model stopped, and what it used.
 */
export async function analysisOf<T>(
  completion: AICompletion,
  { schema }: AIAnalysisRequest<T>,
): Promise<AIAnalysis<T>> {
  const { text, stopReason, usage } = completion;
  const fail = (problem: string) =>
    new MeshError("AI_UNAVAILABLE", messageOf(stopReason), {
      details: { problem, text: text.slice(0, replyLength), stopReason, usage },
    });
  if (stopReason === "refusal") throw fail("the model refused");
  if (stopReason === "max-tokens") throw fail("the reply reached maxTokens and is cut");
  if (stopReason === "context-full") throw fail("the model's context is full, the reply is cut");
  const value = readJsonReply(text);
  if (value === undefined) throw fail("the reply holds no JSON object");
  const checked = await schema.safeParseAsync(value);
  if (!checked.success) throw fail(problemsOf(checked.error.issues));
  return { ...completion, value: checked.data };
}

/** What does not fit, and where, in at most a thousand characters. */
export function problemsOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ")
    .slice(0, 1_000);
}

function messageOf(stopReason: AICompletion["stopReason"]): string {
  if (stopReason === "refusal") return "The model refused.";
  if (stopReason === "end" || stopReason === "stop-sequence") {
    return "The model's reply does not fit the schema.";
  }
  return "The model's reply is cut.";
}
