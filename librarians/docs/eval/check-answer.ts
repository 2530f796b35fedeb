import type { Response } from "@constellation/core";
import { type KnowledgeBase, parseMarkdown } from "@constellation/retrieval";
import { ellipsis } from "../src/extract/quote.js";
import { splitSentences } from "../src/extract/sentences.js";
import { navigatorResponseSchema } from "../src/navigator/navigator-response.schema.js";

/** What is true of an answer, counted. */
export interface AnswerCheck {
  readonly cited: number;
  /** Cited files or sections that are not there. */
  readonly invented: readonly string[];
  readonly sentences: number;
  /** Sentences and lines that no cited section has, as written or as a reader sees it, white space aside. */
  readonly strange: readonly string[];
  readonly tooLong: boolean;
  /** Markup of documentation tools, HTML or pictures outside of code; undefined where there is none. */
  readonly raw: string | undefined;
}

/** Holds an answer without a model against the sections it cites. */
export function checkAnswer({ metadata }: Response, base: KnowledgeBase): AnswerCheck {
  const { answer, sources } = navigatorResponseSchema.parse(metadata?.navigator);
  const invented = sources.filter(
    ({ file, section }) => !base.page(file)?.sections.some(({ heading }) => heading === section),
  );
  if (sources.length === 0) {
    return { cited: 0, invented: [], sentences: 0, strange: [], tooLong: false, raw: undefined };
  }
  const texts = sources.flatMap(({ file, section }) =>
    (base.page(file)?.sections ?? [])
      .filter(({ heading }) => heading === section)
      .map(({ blocks, markdown }) => ({
        written: fold(markdown),
        // A reader does not see the names of link definitions.
        linked: fold(markdown.replaceAll(/\[([^[\]]{1,200})\]\[[^[\]]{0,60}\]/g, "$1")),
        seen: fold(blocks.map(({ text }) => text).join("\n")),
      })),
  );
  const pieces = piecesOf(answer);
  return {
    cited: sources.length,
    invented: invented.map(({ file, section }) => `${file}#${section}`),
    sentences: pieces.length,
    strange: pieces.filter(
      (piece) =>
        !texts.some(
          ({ written, linked, seen }) =>
            written.includes(fold(piece)) ||
            linked.includes(fold(piece)) ||
            [piece, piece.replaceAll(/\*|(?<!\w)_|_(?!\w)/g, "")].some((each) =>
              seen.includes(fold(plain(each.trim()))),
            ),
        ),
    ),
    tooLong: answer.length > 4_000,
    raw: rawMarkup.exec(withoutCode(answer))?.[0],
  };
}

const rawMarkup =
  /\{\{[<%]|\{%|^[> ]*(?::::|!!!|\?\?\?|===[!+]? ")|--8<--|<!--|(?<!\\)<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>|!\[|^[> ]*\[!\w+\]|\[\^[\w-]+\]|\{:? ?[.#][\w-]|(?<![\w:]):[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+:(?![\w:])|^(?:import|export) .*from /im;

/** Without fenced and indented blocks, and code within a line. */
function withoutCode(answer: string): string {
  return answer
    .replaceAll(/^([> ]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[> ]*\2[`~]*$/gm, "")
    .replaceAll(/^(?: {4,}|\t).*$/gm, "")
    .replaceAll(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
}

/** Sentences of prose, lines of all else; the lines that name title, heading and file left out. */
function piecesOf(answer: string): readonly string[] {
  const paragraphs = answer.split(/\n{2,}/).filter((text) => !/^\*\*.*\*\* \(.*\)$/.test(text));
  return paragraphs
    .flatMap((text) =>
      /^\s*(?:[-*+|>]|\d+[.)]|`{3}|~{3}| {4})/m.test(text)
        ? text.split("\n")
        : splitSentences(text),
    )
    .filter(
      (piece) =>
        piece.trim() !== "" &&
        piece.trim() !== ellipsis &&
        !/^\s*(?:`{3,}|~{3,})\w*$|^[|:\s-]*$/.test(piece),
    );
}

/** What a reader sees of a piece, the label of a GitHub alert left out. */
function plain(piece: string): string {
  if (/^\s*(?:`{3}|~{3})/.test(piece)) return piece;
  const { sections } = parseMarkdown(piece.replace(/^> \*\*\w+:\*\* /, "> "), { file: "piece.md" });
  const seen = sections.flatMap(({ level, heading, blocks }) => [
    ...(level > 0 ? [heading] : []),
    ...blocks.map(({ text }) => text),
  ]);
  return seen.join("\n");
}

/** Without white space and the rules of tables. */
function fold(text: string): string {
  return text.replaceAll(/[\s|]+/g, " ").trim();
}
