import { cutMarkdown } from "@constellation/authoring";
import type { Response } from "@constellation/core";
import type { ContentBlock } from "@modelcontextprotocol/server";
import type { AnswerStore } from "./answer-store.js";

/** A response whose answer fits, and the link to its whole answer where that is stored. */
export interface Shortened {
  readonly response: Response;
  /** A sentence for the reader of a cut answer. */
  readonly note?: string;
  readonly uri?: string;
  readonly link?: ContentBlock;
}

/** How answers are shortened. */
export interface ShortenOptions {
  readonly maxAnswerLength: number;
  readonly answerTtlMs: number;
  readonly answers: AnswerStore;
  /** Id of the user who asked. */
  readonly owner: string | undefined;
}

/** Cuts an answer that is longer than the limit, and stores the whole. */
export function shorten(response: Response, options: ShortenOptions): Shortened {
  const { maxAnswerLength, answerTtlMs, answers, owner } = options;
  const { answer } = response;
  if (answer === undefined || answer.length <= maxAnswerLength) return { response };
  const cut = { ...response, answer: cutMarkdown(answer, maxAnswerLength) };
  const note = `The answer is cut to ${maxAnswerLength} of ${answer.length} characters.`;
  const uri = answers.keep(answer, owner);
  if (uri === undefined) return { response: cut, note };
  return {
    response: cut,
    note: `${note} Read the resource ${uri} for the whole; it is stored for ${formatDuration(answerTtlMs)}.`,
    uri,
    link: {
      type: "resource_link",
      uri,
      name: "answer",
      title: "The whole answer",
      mimeType: "text/markdown",
      size: Buffer.byteLength(answer),
    },
  };
}

function formatDuration(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
