import { stripVTControlCharacters } from "node:util";

/** Control characters other than tab and line break, and those that turn the direction of text. */
const controls = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Code of Markdown, fenced, or within a line: what stands there is text whatever it looks like. */
const code =
  /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n[ \t>]*\1[`~]*[ \t]*$|(?![\s\S]))|(?<!`)(`{1,8})(?!`)[^\n]*?(?<!`)\2(?!`)/gm;

/**
 * Text of somebody else as Markdown that does no more than say it: no control characters, and no
 * HTML that a page would run.
 */
export function plainMarkdown(text: string): string {
  const clean = plainText(text);
  let prose = "";
  let from = 0;
  for (const match of clean.matchAll(code)) {
    prose += escapeHtml(clean.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return (prose + escapeHtml(clean.slice(from))).trim();
}

/** The beginning of Markdown as {@link plainMarkdown} has it, with a mark that there was more. */
export function cutMarkdown(text: string, length: number): string {
  let end = length - 1;
  for (;;) {
    // Anew each time, since a cut may open what was closed.
    const cut = plainMarkdown(text.slice(0, end));
    if (cut.length < length) return `${cut}…`;
    end -= cut.length - length + 1;
  }
}

/** Text of somebody else without what a terminal would act on. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll("\r\n", "\n").replace(controls, "");
}

/** Puts a backslash before what would open a tag, a comment or a declaration. */
function escapeHtml(prose: string): string {
  return prose.replace(/(?<!\\)<(?=[a-z/!?])/gi, "\\<");
}
