import { publicError, withoutUndefined } from "@constellation/authoring";
import { type ErrorCode, errorCodes } from "@constellation/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Shortened } from "./shorten.js";

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]; // the table has rows

/** Structured content of the query tools. */
export const answerSchema = z.object({
  answer: z.string().optional().describe("The answer, in Markdown. Absent when there is none."),
  headline: z
    .string()
    .optional()
    .describe("Summary of the answer in one line; for several librarians, one line each."),
  whole: z
    .string()
    .optional()
    .describe("URI of the resource with the whole answer, where `answer` is cut."),
  confidence: z.number().min(0).max(1).optional().describe("Confidence in the answer, 0 to 1."),
  partial: z.boolean().describe("Whether something is missing from the answer."),
  sources: z
    .array(
      z.object({
        name: z.string(),
        url: z.string().optional(),
        type: z.string().optional(),
        relevance: z.number().optional(),
      }),
    )
    .describe("Sources of the answer, most relevant first."),
  missing: z
    .array(
      z.object({
        to: z.string().describe("Id of the librarian."),
        code: z.enum(codes),
        reason: z.string().optional(),
        message: z.string(),
      }),
    )
    .describe("Librarians that failed, or were not asked: their part is missing from the answer."),
  error: z
    .object({
      code: z.enum(codes),
      message: z.string(),
      reason: z.string().optional(),
      suggestion: z.string().optional().describe("What to do next."),
      recoverable: z.boolean().optional().describe("Whether the same query may succeed later."),
      librarian: z.string().optional().describe("Id of the librarian that failed."),
    })
    .optional()
    .describe("Why there is no answer, or why it is incomplete."),
});

type Answer = z.infer<typeof answerSchema>;

/** A response of the mesh as the result of a tool: as text, and as data. */
export function toToolResult({ response, note, uri, link }: Shortened): CallToolResult {
  const { answer, headline, confidence, partial = false, sources = [], metadata, error } = response;
  const structured: Answer = {
    ...(answer !== undefined && { answer }),
    ...(headline !== undefined && { headline }),
    ...(uri !== undefined && { whole: uri }),
    ...(confidence !== undefined && { confidence }),
    partial,
    sources: sources.map(withoutUndefined),
    missing: (metadata?.missing ?? []).map(withoutUndefined),
    ...(error !== undefined && { error: publicError(error) }),
  };
  return {
    content: [
      { type: "text", text: formatAnswer(structured, note) },
      ...(link === undefined ? [] : [link]),
    ],
    structuredContent: structured,
    ...(answer === undefined && { isError: true }),
  };
}

function formatAnswer({ answer, partial, sources, missing, error }: Answer, note?: string): string {
  const parts: string[] = [];
  if (answer !== undefined) parts.push(answer);
  if (note !== undefined) parts.push(note);
  if (error !== undefined) {
    parts.push(
      `${error.code}: ${error.message}${error.suggestion === undefined ? "" : `\n${error.suggestion}`}`,
    );
  }
  if (missing.length > 0) {
    const lines = missing.map(({ to, code, message }) => `- ${to}: ${code}: ${message}`);
    parts.push(`Missing from this answer:\n${lines.join("\n")}`);
  } else if (answer !== undefined && partial && error === undefined) {
    parts.push("This answer is incomplete, or its confidence is low.");
  }
  if (answer !== undefined && sources.length > 0) {
    const lines = sources.map(({ name, url }) =>
      url === undefined ? `- ${name}` : `- ${name}: ${url}`,
    );
    parts.push(`Sources:\n${lines.join("\n")}`);
  }
  return parts.join("\n\n");
}
