import { z } from "zod";
import type { NavigatorResponse, NavigatorSource } from "./navigator-response.js";

/** Least characters of `confidenceReason`, blanks at its ends not counted. */
const leastReason = 10;

/** Checks one cited section. Unknown fields are dropped. */
export const navigatorSourceSchema: z.ZodType<NavigatorSource> = z.object({
  file: z.string().describe("Page the answer rests on, relative to the knowledge base root"),
  section: z.string().describe("Heading of the section in that page"),
  relevance: z.string().describe("Why this section answers the question"),
});

/**
 * Checks the form of a navigator response, not its truth: `validateNavigatorResponse` does that.
 * Unknown fields are dropped.
 */
export const navigatorResponseSchema: z.ZodType<NavigatorResponse> = z.object({
  answer: z.string().describe("Direct answer to the question, naming the pages it rests on"),
  sources: z.array(navigatorSourceSchema).describe("Sections that support the answer"),
  confidence: z.enum(["high", "medium", "low"]).describe("Confidence level"),
  confidenceReason: z
    .string()
    .min(leastReason)
    .refine((reason) => reason.trim().length >= leastReason, {
      error: `expected at least ${leastReason} characters besides blanks at the ends`,
    })
    .describe("Why this confidence level, from number and quality of the sources"),
  relatedTopics: z.array(z.string()).optional().describe("Related topics in the knowledge base"),
  outOfDomain: z.boolean().describe("Whether the question is outside the navigator's domain"),
});

/** The format as JSON Schema (draft 2020-12), for models that take one. Built anew at each call. */
export function navigatorJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(navigatorResponseSchema);
}
