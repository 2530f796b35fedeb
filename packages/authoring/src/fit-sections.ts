import type { AIAnalysisRequest, AIClient, AIToolRequest } from "@constellation/core";
import { schemaText } from "@constellation/core/checks";

/** Limits of a prompt. */
export interface FitOptions {
  /** The model. Where it names no `contextTokens`, everything fits. */
  readonly ai: Pick<AIClient, "contextTokens"> | undefined;
  /** The rest of the request: instructions, schema, tools. */
  readonly request: Partial<
    Pick<AIAnalysisRequest<unknown>, "system" | "schema"> & Pick<AIToolRequest, "tools">
  >;
  /** The rest of the prompt, such as the question. */
  readonly besides: readonly string[];
  /**
   * Tokens kept free for a reply and, after it, for its correction. Integer, 1 or more.
   *
   * @default a quarter of the context, at most 4_096
   */
  readonly replyTokens?: number | undefined;
}

/** Tokens around a section in a prompt: fences, and its name. */
const sectionTokens = 40;

/**
 * Selects the whole sections that fit the context of a model, in their order. A section that does not fit
 * is left out, and a shorter one after it may still fit.
 *
 * @param sections - Most important first.
 * @param textOf - The text that a section adds to the prompt.
 */
export function fitSections<Section>(
  sections: readonly Section[],
  textOf: (section: Section) => string,
  { ai, request, besides, replyTokens }: FitOptions,
): readonly Section[] {
  const contextTokens = ai?.contextTokens;
  if (contextTokens === undefined) return sections;
  const { system = "", schema, tools = [] } = request;
  const fixed = [
    system,
    ...besides,
    schema === undefined ? "" : schemaText(schema),
    ...tools.map(({ name, description, input }) => name + description + schemaText(input)),
  ];
  let room = contextTokens - (replyTokens ?? Math.min(4_096, contextTokens / 4));
  for (const text of fixed) room -= estimateTokens(text);
  return sections.filter((section) => {
    const tokens = estimateTokens(textOf(section)) + sectionTokens;
    if (tokens > room) return false;
    room -= tokens;
    return true;
  });
}

/** Tokens of a text, estimated as one for three bytes of UTF-8: more than a model usually counts. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/**
 * The beginning of a text, cut where a paragraph ends, else where a line ends.
 *
 * @param maxLength - Maximum number of characters, 1 or more.
 * @returns The text itself where it is not longer; nothing where not even its first line fits.
 */
export function wholeLines(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength + 1);
  const paragraph = start.lastIndexOf("\n\n");
  const end = paragraph > maxLength / 2 ? paragraph : start.lastIndexOf("\n");
  return end === -1 ? "" : text.slice(0, end);
}
