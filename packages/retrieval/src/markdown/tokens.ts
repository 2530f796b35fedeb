import createMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";

/** A paragraph with more characters than this is kept as it is written, so that time stays linear. */
export const maxInlineLength = 20_000;

/** Parses CommonMark with tables; every block token knows its lines. */
export function tokensOf(markdown: string): readonly Token[] {
  parser ??= createParser();
  return parser.parse(markdown, {});
}

let parser: MarkdownIt | undefined;

function createParser(): MarkdownIt {
  const markdownIt = createMarkdownIt({ html: true });
  markdownIt.core.ruler.at("inline", (state) => {
    for (const token of state.tokens) {
      if (token.type !== "inline" || token.content.length > maxInlineLength) continue;
      token.children ??= [];
      state.md.inline.parse(token.content, state.md, state.env, token.children);
    }
  });
  // Targets are shown to readers as they were written, not percent-encoded.
  markdownIt.normalizeLink = (url) => url;
  markdownIt.validateLink = () => true;
  return markdownIt;
}
