import type { InputLimits } from "../../contract/input-limits.js";
import type { Branch, Response, Source } from "../../contract/response.js";
import { rankSources } from "../../contract/validate-response.js";

const separator = "\n\n";
const cutMark = "\n\n[Cut. The whole answer is in metadata.branches.]";

/**
 * Joins answers in order, each under its librarian's name; a single one stays as it is.
 *
 * @param branches - One or more, each with an answer.
 * @returns A valid response: where the answers are too long together, each is cut to its share, and
 *   the response is partial.
 */
export function joinAnswers(
  branches: readonly Branch[],
  { maxAnswerLength, maxSources }: InputLimits,
): Response {
  const [only] = branches;
  if (only !== undefined && branches.length === 1) return withoutDelegate(only.response);
  const { text, isCut } = joinTexts(branches, maxAnswerLength);
  const sources: Source[] = [];
  const confidences: number[] = [];
  const metadata = new Map<string, unknown>();
  let isPartial = isCut;
  for (const { response } of branches) {
    for (const source of response.sources ?? []) sources.push(source);
    if (response.confidence !== undefined) confidences.push(response.confidence);
    if (response.metadata !== undefined) addMetadata(metadata, response.metadata);
    isPartial ||= response.partial === true;
  }
  return {
    answer: text,
    ...(sources.length > 0 && { sources: rankSources(sources).slice(0, maxSources) }),
    ...(confidences.length > 0 && { confidence: mean(confidences) }),
    ...(isPartial && { partial: true }),
    ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
  };
}

function addMetadata(all: Map<string, unknown>, added: object): void {
  for (const [key, value] of Object.entries(added)) {
    if (!all.has(key)) all.set(key, value); // the first keeps it
  }
}

function joinTexts(
  branches: readonly Branch[],
  maxLength: number,
): { text: string; isCut: boolean } {
  const parts: string[] = [];
  let length = 0;
  for (const { name, response } of branches) {
    const part = `## ${name}\n\n${response.answer}`;
    length += part.length + separator.length;
    parts.push(part);
  }
  if (length <= maxLength) return { text: parts.join(separator), isCut: false };
  const share = Math.floor(maxLength / parts.length) - separator.length;
  const cut = parts.map((part) =>
    part.length <= share ? part : `${part.slice(0, share - cutMark.length)}${cutMark}`,
  );
  return { text: cut.join(separator), isCut: true };
}

function withoutDelegate({ delegate, merge, answer = "", ...rest }: Response): Response {
  return { answer, ...rest };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
