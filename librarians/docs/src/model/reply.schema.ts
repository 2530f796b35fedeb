import { z } from "zod";
import type { NavigatorResponse } from "../navigator/navigator-response.js";

/** A cited section; a heading and a path are short. */
const source = z.object({
  file: z
    .string()
    .max(500)
    .describe("Path of the page that supports the answer, relative to the knowledge base root"),
  section: z.string().max(500).describe("Heading of the section in that page"),
  relevance: z.string().max(500).describe("Why this section answers the question"),
});

/**
 * Schema of a model's reply: the navigator format with a limit for each text and list, because a
 * small model can repeat itself until its tokens run out. `checkReply` checks the rest of the
 * format.
 */
export const replySchema: z.ZodType<NavigatorResponse> = z.object({
  answer: z
    .string()
    .max(6_000)
    .describe("Direct answer to the question, naming the pages that support it"),
  sources: z.array(source).max(16).describe("Sections that support the answer"),
  confidence: z.enum(["high", "medium", "low"]).describe("Confidence level"),
  confidenceReason: z
    .string()
    .min(10)
    .max(1_000)
    .describe("Reason for the confidence level: number and quality of the sources"),
  relatedTopics: z
    .array(z.string().max(200))
    .max(10)
    .optional()
    .describe("Related topics in the knowledge base"),
  outOfDomain: z.boolean().describe("Whether the question is outside the navigator's domain"),
});
