import type { InputLimits } from "../../contract/input-limits.js";
import type { Branch, MissingBranch, Response, Source } from "../../contract/response.js";
import { rankSources } from "../../contract/validate-response.js";

const separator = "\n\n";
/** Maximum number of characters of one headline in a summary. */
const maxHeadlineLength = 300;
const cutMark = "\n\n[Cut. The whole answer is in metadata.branches.]";

/** An answer with the name of its librarian, or of all that gave the same answer. */
interface Section {
  readonly name: string;
  readonly response: Response;
}

/**
 * Joins answers in order, each under its librarian's name, after a summary; a single one stays as it is. An
 * answer that several give is there once, under all their names.
 *
 * @param branches - One or more, each with an answer.
 * @param missing - What the summary lists beside them.
 * @returns A valid response: where the answers are too long together, each is cut to its share, and
 *   the response is partial.
 */
export function joinAnswers(
  branches: readonly Branch[],
  missing: readonly MissingBranch[],
  { maxAnswerLength, maxSources }: InputLimits,
): Response {
  const [only] = branches;
  if (only !== undefined && branches.length === 1) return withoutDelegate(only.response);
  const areLines = branches.every(({ response }) => isPlainLine(response));
  const sections = toSections(branches, areLines ? (answer) => answer : normalize);
  const summary = areLines ? "" : summarize(sections, missing);
  const begin = summary.length > maxAnswerLength / 2 || summary === "" ? "" : summary + separator;
  const headline = sections.length === 1 ? only?.response.headline : begin.trimEnd();
  const { text, isCut } = joinTexts(sections, maxAnswerLength - begin.length);
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
    answer: begin + text,
    ...(headline !== undefined && headline !== "" && { headline }),
    ...(sources.length > 0 && { sources: rankSources(sources).slice(0, maxSources) }),
    ...(confidences.length > 0 && { confidence: mean(confidences) }),
    ...(isPartial && { partial: true }),
    ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
  };
}

function toSections(
  branches: readonly Branch[],
  toText: (answer: string) => string,
): readonly Section[] {
  const texts = branches.map(({ response }) => toText(response.answer ?? ""));
  if (new Set(texts).size === texts.length) return branches;
  const byText = new Map<string, { name: string; readonly response: Response }>();
  for (const [at, { name, response }] of branches.entries()) {
    const text = texts[at] ?? "";
    const same = byText.get(text);
    if (same === undefined) byText.set(text, { name, response });
    else same.name += `, ${name}`;
  }
  return [...byText.values()];
}

/** Fast path: most answers are short, and need no headline. */
function isPlainLine({ headline, answer = "" }: Response): boolean {
  if (headline !== undefined || answer.length > maxHeadlineLength) return false;
  return !/[*`#>|]|[^\S ]| {2}|^ | $/.test(answer);
}

/** Without what Markdown does not show; indentation may mean something. */
function normalize(answer: string): string {
  const lines = answer.split("\n").map((line) => line.trimEnd().replaceAll(/(?<=\S)\s+/g, " "));
  return lines.filter((line) => line !== "").join("\n");
}

/** A line for each section; empty where there is one, or the answers themselves are one short line each. */
function summarize(sections: readonly Section[], missing: readonly MissingBranch[]): string {
  if (sections.length === 1) return "";
  const lines = sections.map(({ name, response }) => ({ name, text: toHeadline(response) }));
  if (lines.every(({ text }, at) => text === sections[at]?.response.answer?.trim())) return "";
  return [
    ...lines.map(({ name, text }) => `- **${name}**: ${text}`),
    ...missing.map(({ to, message }) => `- No answer of **${to}**: ${toLine(message)}`),
  ].join("\n");
}

/** Its headline, or the first line of its answer. The headline of a merged answer has several lines. */
function toHeadline({ headline, answer = "" }: Response): string {
  if (headline !== undefined) return toLine(headline.replaceAll("\n- ", "; ").replace(/^- /, ""));
  return toLine(
    answer
      .trimStart()
      .split("\n", 1)[0]
      ?.replaceAll(/[*`#>|]/g, "") ?? "",
  );
}

function toLine(text: string): string {
  const line = text
    .slice(0, 2 * maxHeadlineLength)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxHeadlineLength ? `${line.slice(0, maxHeadlineLength - 1)}…` : line;
}

function addMetadata(all: Map<string, unknown>, added: object): void {
  for (const [key, value] of Object.entries(added)) {
    if (!all.has(key)) all.set(key, value); // the first keeps it
  }
}

function joinTexts(
  sections: readonly Section[],
  maxLength: number,
): { text: string; isCut: boolean } {
  const parts: string[] = [];
  let length = 0;
  for (const { name, response } of sections) {
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
