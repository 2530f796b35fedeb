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
    const admonition = /^( *)(?:!!!|\?\?\?\+?|===[!+]?) +("?)([\w -]+?)\2(?: +"(.*)")? *$/.exec(
      line,
    );
    if (admonition !== null) {
      dedents.push(dedent + (admonition[1]?.length ?? 0) + 4);
      out.push(`${admonition[1]}${admonition[4] ?? admonition[3] ?? ""}`);
      // The text below is another paragraph, whether or not a blank line stands between.
      continue;
    }
    const colons = /^ *:{3,} *(?:\w+)?(?:\[(.*)\]| +(.*))?$/.exec(line);
    out.push(colons === null ? line : (colons[1] ?? colons[2] ?? ""));
  }
  return out;
}

function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32) at++;
  return at;
}

function withoutMdx(line: string, inComment: boolean): readonly [kept: string, isOpen: boolean] {
  if (!inComment && line.length <= maxLineLength && isModuleLine.test(line)) return ["", false];
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

const isModuleLine =
  /^(?:import\s+[\w{*'"].*(?:from\s+['"]|['"]\s*;?\s*$)|export\s+(?:const|let|default|function|\{))/;
