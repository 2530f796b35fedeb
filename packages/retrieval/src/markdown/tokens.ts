import createMarkdownIt, { type Env, type MarkdownIt, type Token } from "markdown-it";
import type { Link } from "./page.js";

/** A paragraph with more characters than this is kept as it is written. */
const maxInlineLength = 20_000;
/** Inline tokens of a page, and brackets times length of their paragraphs, added up: beyond, paragraphs are kept as written. */
const maxInlineTokens = 100_000;
const maxBracketWork = 40_000_000;
/** Brackets open at once times length of the paragraph: beyond, it is kept as written. */
const maxNestingWork = 100_000;

/** What the inline markup of one page has cost so far. */
interface InlineWork {
  tokens: number;
  brackets: number;
}

/** Parses CommonMark with tables; every block token knows its lines. Time is bounded by the length of the text. */
export function parseTokens(markdown: string): readonly Token[] {
  parser ??= createParser();
  return parser.parse(markdown, { work: { tokens: 0, brackets: 0 } satisfies InlineWork });
}

/**
 * Parses one paragraph; undefined where it is too long or too nested.
 *
 * @param links - Links of its section: what has the text of one of them in brackets is that link, since its target is
 *   defined elsewhere on the page.
 */
export function parseInlineTokens(
  paragraph: string,
  links: readonly Link[] = [],
): readonly Token[] | undefined {
  parser ??= createParser();
  const targets = new Map(links.map(({ text, target }) => [withoutMarks(text), target]));
  const references: Record<string, { title: string; href: string }> = {};
  if (targets.size > 0) {
    for (const [, text = "", label = ""] of paragraph.matchAll(bracketed)) {
      const href = targets.get(withoutMarks(text));
      if (href === undefined) continue;
      references[parser.utils.normalizeReference(label === "" ? text : label)] = {
        title: "",
        href,
      };
    }
  }
  return parseInline(parser, paragraph, { tokens: 0, brackets: 0 }, { references });
}

/** A text in brackets, with the name of its definition in a second pair or without. */
const bracketed = /\[((?:`[^`]{1,100}`|[^[\]`]){1,200})\](?:\[([^[\]]{0,100})\])?/g;

/** A text in one line, without marks of code and emphasis. */
function withoutMarks(text: string): string {
  return text.replace(/[`*_]/g, "").replaceAll("\n", " ");
}

let parser: MarkdownIt | undefined;

function createParser(): MarkdownIt {
  const markdownIt = createMarkdownIt({ html: true });
  markdownIt.core.ruler.at("inline", (state) => {
    const work = state.env.work as InlineWork; // given in tokensOf, the only caller
    for (const token of state.tokens) {
      if (token.type !== "inline") continue;
      const children = parseInline(markdownIt, token.content, work, state.env);
      if (children === undefined) {
        const text = new state.Token("text", "", 0);
        text.content = token.content;
        token.children = [text];
      } else token.children = children;
    }
  });
  // Targets are shown to readers as they were written, not percent-encoded.
  markdownIt.normalizeLink = (url) => url;
  markdownIt.validateLink = () => true;
  return markdownIt;
}

/** Parses inline markup; undefined for what would cost more than its length deserves. */
function parseInline(
  markdownIt: MarkdownIt,
  content: string,
  work: InlineWork,
  env: Env,
): Token[] | undefined {
  if (content.length > maxInlineLength || work.tokens > maxInlineTokens) return undefined;
  // Each bracket may be looked for up to the end of its paragraph.
  const ownWork = content.length * (content.split("[").length - 1);
  const brackets = work.brackets + ownWork;
  if (brackets > maxBracketWork) return undefined;
  // No more are open at once than there are: most paragraphs have too few to be looked at.
  if (ownWork > maxNestingWork && content.length * countOpen(content) > maxNestingWork)
    return undefined;
  work.brackets = brackets;
  const children: Token[] = [];
  markdownIt.inline.parse(content, markdownIt, env, children);
  work.tokens += children.length;
  return children;
}

/** The most brackets that are open at once outside of code: each is followed to where it closes, or to the end. */
function countOpen(content: string): number {
  const marks = [...content.matchAll(/\\.|`+|[[\]]/gs)];
  /** The last place of each run of backticks: one that no equal one follows opens no code. */
  const last = new Map(marks.map(({ 0: mark, index }) => [mark, index]));
  let code: string | undefined;
  let open = 0;
  let most = 0;
  for (const { 0: mark, index } of marks) {
    if (code !== undefined) {
      if (mark === code) code = undefined;
    } else if (mark.startsWith("`")) {
      if ((last.get(mark) ?? index) > index) code = mark;
    } else if (mark === "[") most = Math.max(most, ++open);
    else if (mark === "]") open = Math.max(0, open - 1);
  }
  return most;
}
