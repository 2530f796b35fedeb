import MarkdownIt, { type Token } from "markdown-it";

/** A piece of a section that is quoted whole, or, if it is text, by the sentence. */
export interface Block {
  readonly kind: "text" | "list" | "code" | "table";
  /** As it stands in the page, without blank lines around it. */
  readonly text: string;
}

/** What stands between one heading and the next. */
export interface Section {
  /** Path of the page. */
  readonly path: string;
  /** Title of the page: its first heading, else the front matter's, else its file name. */
  readonly title: string;
  /** Its heading, without markup; absent for what stands before the first one. */
  readonly heading: string | undefined;
  /** Headings above it, outermost first. */
  readonly above: readonly string[];
  /** Line of its heading, or its first line, from 1. */
  readonly line: number;
  /** Its last line that is not blank. */
  readonly endLine: number;
  /** Never empty. */
  readonly blocks: readonly Block[];
}

const markdown = new MarkdownIt("commonmark").enable("table");

/**
 * Splits a Markdown page into its sections, in order. Front matter and comments are left out, and
 * so is a heading with nothing under it, though it stands above those that follow.
 */
export function sectionsOf(path: string, text: string): readonly Section[] {
  const plain = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const { body, frontTitle } = withoutFrontMatter(plain);
  const lines = body.split("\n");
  const parts: Part[] = [{ heading: undefined, above: [], line: 1, blocks: [] }];
  const open: { readonly level: number; readonly heading: string }[] = [];

  const tokens = markdown.parse(body, {});
  for (const [index, token] of tokens.entries()) {
    const { map, type } = token;
    if (token.level !== 0 || map === null || token.nesting === -1) continue;
    if (type === "heading_open") {
      const level = Number(token.tag.slice(1));
      const heading = plainText(tokens[index + 1]);
      while ((open.at(-1)?.level ?? 0) >= level) open.pop();
      const above = open.map((each) => each.heading);
      open.push({ level, heading });
      parts.push({ heading, above, line: map[0] + 1, blocks: [] });
      continue;
    }
    const block = blockOf(
      token,
      lines
        .slice(...map)
        .join("\n")
        .replace(/^\n+|\s+$/g, ""),
    );
    const part = parts.at(-1);
    if (block === undefined || part === undefined) continue;
    if (part.heading === undefined && part.blocks.length === 0) part.line = map[0] + 1;
    part.blocks.push(block);
  }

  const title =
    parts.find(({ heading }) => heading !== undefined && heading !== "")?.heading ??
    frontTitle ??
    fileName(path);
  return parts.flatMap((part, index) => {
    const { heading, above, line, blocks } = part;
    let endLine = (parts[index + 1]?.line ?? lines.length + 1) - 1;
    while (endLine > line && lines[endLine - 1]?.trim() === "") endLine--;
    return blocks.length === 0 ? [] : { path, title, heading, above, line, endLine, blocks };
  });
}

interface Part {
  readonly heading: string | undefined;
  readonly above: readonly string[];
  line: number;
  readonly blocks: Block[];
}

const kinds: Readonly<Record<string, Block["kind"]>> = {
  paragraph_open: "text",
  blockquote_open: "text",
  html_block: "text",
  bullet_list_open: "list",
  ordered_list_open: "list",
  table_open: "table",
  fence: "code",
  code_block: "code",
};

function blockOf({ type }: Token, text: string): Block | undefined {
  const kind = kinds[type];
  const isComment = type === "html_block" && text.trimStart().startsWith("<!--");
  return kind === undefined || isComment || text === "" ? undefined : { kind, text };
}

/** Takes the front matter out and leaves as many blank lines, so that line numbers stay true. */
function withoutFrontMatter(text: string): { body: string; frontTitle: string | undefined } {
  const [whole, yaml] = /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text) ?? [];
  // A page may also begin with a rule between two paragraphs: that is no front matter.
  const isYaml = /^\s*(?:$|#|["']?[\w.-]+["']?[ \t]*:(?:\s|$))/.test(yaml ?? "");
  if (whole === undefined || !isYaml) return { body: text, frontTitle: undefined };
  const [, title] = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m.exec(yaml ?? "")?.slice(1) ?? [];
  return {
    body: `${"\n".repeat(whole.split("\n").length - 1)}${text.slice(whole.length)}`,
    frontTitle: title,
  };
}

/** The text of a heading, without its markup. */
function plainText(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("")
    .trim();
}

function fileName(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.\w+$/, "");
}
