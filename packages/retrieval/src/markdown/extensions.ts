/** Longer lines are prose, and are not looked at for marks of other tools. */
const maxLineLength = 2_000;

/**
 * Rewrites what other tools add to Markdown as plain Markdown, line for line, so that line numbers
 * stay: admonitions of MkDocs (`!!! note "Title"`, whose text is indented and would be read as
 * code), of Docusaurus (`:::note`), tabs (`=== "Name"`), imports, exports and comments of MDX.
 */
export function plainMarkdown(lines: readonly string[], isMdx: boolean): readonly string[] {
  const out: string[] = [];
  const dedents: number[] = [];
  let fence: string | undefined;
  let inMdxComment = false;
  for (const original of lines) {
    let line = original;
    if (fence === undefined && line.trim() !== "") {
      // An indented text ends with the first line that stands further left.
      while (dedents.length > 0 && indentOf(line) < (dedents.at(-1) ?? 0)) dedents.pop();
    }
    const dedent = dedents.at(-1) ?? 0;
    if (dedent > 0) line = line.slice(Math.min(dedent, indentOf(line)));

    const mark = /^ *(?:[-*+>] +|\d+[.)] +)*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^\s*(?:>\s*)*(?:`+|~+)\s*$/.test(line)) fence = undefined;
      out.push(line);
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      out.push(line);
      continue;
    }
    if (isMdx || inMdxComment) {
      const [kept, open] = withoutMdx(line, inMdxComment);
      inMdxComment = open;
      line = kept;
    }
    if (line.length > maxLineLength) {
      out.push(line);
      continue;
    }
    const admonition = admonitionOf(line);
    if (admonition !== undefined) {
      dedents.push(dedent + admonition.indent + 4);
      out.push(`${" ".repeat(admonition.indent)}${admonition.title}`);
      // The text below is another paragraph, whether or not a blank line is between.
      continue;
    }
    out.push(containerTitle(line) ?? line);
  }
  return out;
}

function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32) at++;
  return at;
}

function withoutMdx(line: string, inComment: boolean): readonly [kept: string, isOpen: boolean] {
  if (!inComment && line.length <= maxLineLength && isModuleLine(line)) return ["", false];
  let kept = "";
  let at = 0;
  let isOpen = inComment;
  while (at < line.length) {
    const next = line.indexOf(isOpen ? "*/}" : "{/*", at);
    if (!isOpen) kept += line.slice(at, next < 0 ? line.length : next);
    if (next < 0) break;
    at = next + 3;
    isOpen = !isOpen;
  }
  return [kept, isOpen];
}

function isModuleLine(line: string): boolean {
  if (/^export\s+(?:const|let|default|function|\{)/.test(line)) return true;
  if (!/^import\s+[\w{*'"]/.test(line)) return false;
  return /from\s{1,20}['"]/.test(line) || /['"]\s{0,20};?$/.test(line.trimEnd());
}

/** The title in `!!! note "Title"`, `??? note` and `=== "Tab"`, and how far the line is indented. */
function admonitionOf(
  line: string,
): { readonly indent: number; readonly title: string } | undefined {
  const indent = indentOf(line);
  const mark = /^(?:!!!|\?\?\?\+?|===[!+]?)(?= )/.exec(line.slice(indent, indent + 6))?.[0];
  if (mark === undefined) return undefined;
  const body = line.slice(indent + mark.length).trim();
  const isQuoted = body.startsWith('"');
  const nameEnd = body.indexOf('"', isQuoted ? 1 : 0);
  const name = body.slice(isQuoted ? 1 : 0, nameEnd < 0 ? body.length : nameEnd).trim();
  if (!/^[\w -]+$/.test(name) || (isQuoted && nameEnd < 0)) return undefined;
  const rest = nameEnd < 0 ? "" : body.slice(nameEnd + (isQuoted ? 1 : 0)).trim();
  if (rest === "") return { indent, title: name };
  if (rest.length < 2 || !rest.startsWith('"') || !rest.endsWith('"')) return undefined;
  return { indent, title: rest.slice(1, -1) };
}

/** What is beside `:::note` and `:::note[Title]`, "" where nothing does; undefined for other lines. */
function containerTitle(line: string): string | undefined {
  const indent = indentOf(line);
  if (!line.startsWith(":::", indent)) return undefined;
  let at = indent;
  while (line[at] === ":") at++;
  const rest = line.slice(at);
  const body = rest.trim();
  const title = body.slice(/^\w*/.exec(body)?.[0].length ?? 0);
  if (title === "") return "";
  if (title.startsWith("[") && title.endsWith("]")) return title.slice(1, -1);
  const isApart = title.startsWith(" ") || (title === body && rest.startsWith(" "));
  return isApart ? title.trim() : undefined;
}
