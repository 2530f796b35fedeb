import type { Response } from "@constellation/core";
import { partialBelowConfidence } from "@constellation/core/checks";
import { contextFor, expect, withLibrarian } from "./conformance.js";
import type { LibrarianCheck } from "./librarian-check.js";
import type { LibrarianSuiteOptions } from "./suite-options.js";

/** Maximum number of characters of an answer that a person can still read. */
const maxAnswerLength = 4_000;

/** Checks of answers. */
export const answerChecks: readonly LibrarianCheck[] = [
  {
    name: "answers",
    part: "answer",
    title: "CORE-074 CORE-005 answers a query it can answer, without an error",
    run: (options) =>
      answered(options, ({ error }) => {
        expect(error === undefined, `it answered with error ${error?.code}: ${error?.message}`, {
          actual: error,
        });
      }),
  },
  {
    name: "confidence",
    part: "answer",
    title: "CORE-069 CORE-049 reports its confidence, and marks an answer below 0.6 as partial",
    run: (options) =>
      answered(options, ({ confidence, partial }) => {
        expect(typeof confidence === "number", "its answer has no confidence");
        expect(
          confidence >= partialBelowConfidence || partial === true,
          `its confidence is ${confidence}, but partial is not true`,
          { actual: partial, expected: true },
        );
      }),
  },
  {
    name: "length",
    part: "answer",
    title: `CORE-031 keeps its answer to ${maxAnswerLength} characters`,
    run: (options) =>
      answered(options, ({ answer }) => {
        expect(
          answer.length <= maxAnswerLength,
          `its answer has ${answer.length} characters; expected at most ${maxAnswerLength}`,
        );
      }),
  },
  {
    name: "markdown",
    part: "answer",
    title: "CORE-029 writes Markdown without raw HTML",
    run: (options) =>
      answered(options, ({ answer }) => {
        const html = rawHtml(answer);
        expect(html === undefined, `its answer has raw HTML: ${html}`, { actual: html });
      }),
  },
  {
    name: "sources",
    part: "sources",
    title: "CORE-070 names at least one source of its answer",
    run: (options) =>
      answered(options, ({ sources = [] }) => {
        expect(sources.length > 0, "its answer has no sources");
      }),
  },
  {
    name: "sources-ranked",
    part: "sources",
    title: "CORE-034 CORE-035 names each source once, most relevant first",
    run: (options) =>
      answered(options, ({ sources = [] }) => {
        const keys = sources.map(({ name, url }) => JSON.stringify([name, url]));
        const ranks = sources.flatMap(({ relevance }) => relevance ?? []);
        expect(new Set(keys).size === keys.length, "it names a source twice", { actual: keys });
        expect(
          ranks.every((rank, index) => index === 0 || rank <= (ranks[index - 1] ?? rank)),
          "its sources are not ordered by relevance",
          { actual: ranks, expected: [...ranks].sort((a, b) => b - a) },
        );
      }),
  },
];

type Answered = Response & { readonly answer: string };

/** Asks a query that it can answer, and checks the answer. */
function answered(
  options: LibrarianSuiteOptions,
  check: (response: Answered) => void,
): Promise<void> {
  return withLibrarian(options, options.create, async (ask) => {
    const response = await ask(options.query, contextFor(options));
    const { answer, error } = response;
    expect(
      answer !== undefined && answer.trim() !== "",
      `it gave no answer${error === undefined ? "" : `, but error ${error.code}: ${error.message}`}`,
      { actual: response },
    );
    check({ ...response, answer });
  });
}

/**
 * Finds the first piece of raw HTML in Markdown, approximately: in the text without code and automatic
 * links, the first match of a tag, a comment or a declaration.
 */
export function rawHtml(markdown: string): string | undefined {
  const prose = markdown
    .replace(
      /^[ \t>]*(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:\n[ \t>]*\1[`~]*[ \t]*$|$(?![\s\S]))|$)/gm,
      "",
    )
    .replace(/^(?: {4}|\t)[^\n]*$/gm, "")
    .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "")
    .replace(/<(?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/gi, "");
  return /(?<!\\)<(?:\/?[a-z][a-z\d-]*(?:\s[^<>]*)?\/?>|!--|![a-z]|\?)/i.exec(prose)?.[0];
}
