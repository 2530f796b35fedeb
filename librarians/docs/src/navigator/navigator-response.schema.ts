import { z } from "zod";
import type { NavigatorResponse, NavigatorSource } from "./navigator-response.js";

/** Minimum number of characters of `confidenceReason`, without white space at its ends. */
const minReasonLength = 10;

/** Checks one cited section. Unknown fields are dropped. */
export const navigatorSourceSchema: z.ZodType<NavigatorSource> = z.object({
  file: z
    .string()
    .describe("Path of the page that supports the answer, relative to the knowledge base root"),
  section: z.string().describe("Heading of the section in that page"),
  relevance: z.string().describe("Why this section answers the question"),
});

/**
 * Checks the form of a navigator response, not its truth: `validateNavigatorResponse` does that.
 * Unknown fields are dropped.
 */
export const navigatorResponseSchema: z.ZodType<NavigatorResponse> = z.object({
  answer: z.string().describe("Direct answer to the question, naming the pages that support it"),
  sources: z.array(navigatorSourceSchema).describe("Sections that support the answer"),
  confidence: z.enum(["high", "medium", "low"]).describe("Confidence level"),
  confidenceReason: z
    .string()
    .min(minReasonLength)
    .refine((reason) => reason.trim().length >= minReasonLength, {
      error: `expected at least ${minReasonLength} characters without white space at the ends`,
    })
    .describe("Reason for the confidence level: number and quality of the sources"),
  relatedTopics: z.array(z.string()).optional().describe("Related topics in the knowledge base"),
  outOfDomain: z.boolean().describe("Whether the question is outside the navigator's domain"),
});

/**
 * The format as JSON Schema (draft 2020-12), for models that accept one. A new object at each call.
 */
export function navigatorJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(navigatorResponseSchema);
}
