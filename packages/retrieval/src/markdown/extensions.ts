import { readTemplateTags, type TemplateTag } from "./template-tags.js";

/** Maximum length of a line with an extension; longer lines are prose. */
const maxLineLength = 2_000;

/** Names of callouts, as Hugo, GitBook, Docusaurus, VitePress and MkDocs write them. */
const callouts = new Set(
  (
    "admonition alert attention callout caution danger error failure hint important info note " +
    "notice question success tip todo warn warning"
  ).split(" "),
);
/** Callouts whose kind is a parameter. */
const kindParameters = ["type", "style", "kind", "level", "color"];
/** Parts that readers choose or open by their title. */
const titled = new Set(
  "accordion code-tab codetab collapse details dropdown expand step tab tabitem tab-item".split(
    " ",
  ),
);

/** The begin of a definition: a colon, and the text that defines the term above. */
const definition = /^( *): {1,4}(?=[^ ])/;

/** A construct that is open: its lines lose `strip` columns and get `prefix` in front. */
interface Container {
  /** Lines with less indentation end it; undefined where a line of its own closes it. */
  readonly minIndent?: number;
  /** What closes it: `:::`, or the name of a tag. */
  readonly closedBy?: string;
  readonly strip: number;
  readonly prefix: string;
}

/**
 * Rewrites the Markdown extensions of other tools as plain Markdown, line by line, so that line numbers stay:
 * callouts of MkDocs (`!!! note "Title"`), Docusaurus and VitePress (`:::note`), Hugo (`{{< note >}}`) and GitBook
 * (`{% hint %}`) become the quotations that GitHub uses for alerts; tabs (`=== "Name"`, `{% tab %}`) become
 * their bold title; definitions (`:   text` under a term) become items of a list; other template tags, includes, tables of contents, and imports, exports and comments of MDX are removed. Code stays
 * as it is.
 */
export function toStandardMarkdown(lines: readonly string[], isMdx: boolean): readonly string[] {
  const out: string[] = [];
  const open: Container[] = [];
  let fence: string | undefined;
  let inMdxComment = false;
  let inModule = false;
  const emit = (line: string) => {
    const { strip = 0, prefix = "" } = open.at(-1) ?? {};
    const text = line.slice(Math.min(strip, countIndent(line)));
    out.push(text === "" ? prefix.trimEnd() : prefix + text);
  };
  /** Opens a container whose mark stands `indent` columns into the line. */
  const begin = (
    indent: number,
    title: string,
    details: Omit<Container, "strip" | "prefix"> & { isQuote: boolean; inner: number },
  ) => {
    const { isQuote, inner, ...end } = details;
    const above = open.at(-1) ?? { strip: 0, prefix: "" };
    const outer = above.prefix + " ".repeat(Math.max(0, indent - above.strip));
    open.push({ ...end, strip: indent + inner, prefix: isQuote ? `${outer}> ` : outer });
    out.push(title === "" ? "" : `${outer}${isQuote ? "> " : ""}${title}`);
  };
  /** Closes the container with this mark, and those inside it. */
  const end = (mark: string) => {
    const at = open.findLastIndex(({ closedBy }) => closedBy === mark);
    if (at >= 0) open.length = at;
    out.push("");
  };

  for (const original of lines) {
    let line = original;
    if (fence === undefined && line.trim() !== "") {
      // Indented text ends at the first line with less indentation.
      while (open.length > 0 && countIndent(line) < (open.at(-1)?.minIndent ?? 0)) open.pop();
      // A heading begins a section: what was left open ends there.
      while (open.at(-1)?.closedBy !== undefined && /^#{1,6} /.test(line)) open.pop();
    }
    const mark = /^ *(?:[-*+>] +|\d+[.)] +)*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      emit(line);
      if (mark?.startsWith(fence) && /^\s*(?:>\s*)*(?:`+|~+)\s*$/.test(line)) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      emit(line);
      continue;
    }
    if (isMdx || inMdxComment) {
      const [kept, isOpen] = withoutMdxComment(line, inMdxComment);
      inMdxComment = isOpen;
      line = kept;
      if (inModule || isModuleLine(line)) {
        // `import {` continues up to the line with its source.
        inModule = inModule
          ? line.trim() !== "" && !endsImport(line)
          : /^import\s*\{[^}]*$/.test(line);
        line = "";
      }
    } else if (isImport(line)) line = "";
    if (line.length > maxLineLength) {
      emit(line);
      continue;
    }
    const indent = countIndent(line);
    const admonition = readAdmonition(line, indent);
    if (admonition !== undefined) {
      const { isQuote, title } = admonition;
      begin(indent, title, { minIndent: indent + 4, inner: 4, isQuote });
      continue;
    }
    const container = readContainer(line, indent);
    if (container === "end") end(":::");
    else if (container !== undefined) {
      begin(indent, container.title, { closedBy: ":::", inner: 0, isQuote: container.isQuote });
    } else if (isDirective(line)) out.push("");
    else {
      line = line.replace(definition, "$1-   ");
      const { text, tags } = readTemplateTags(line);
      const [tag] = tags;
      if (tag === undefined) emit(line);
      else if (tags.length > 1 || text.trim() !== "") emit(text);
      else if (tag.isClosing) end(tag.name);
      else if (callouts.has(tag.name) && !tag.isWhole) {
        const title = formatCallout(calloutKind(tag), tag.title);
        begin(indent, title, { closedBy: tag.name, inner: 0, isQuote: true });
      } else if (titled.has(tag.name) && tag.title !== "")
        emit(`${" ".repeat(indent)}**${tag.title}**`);
      else emit(tag.text);
    }
  }
  return out;
}

function countIndent(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32) at++;
  return at;
}

function withoutMdxComment(
  line: string,
  inComment: boolean,
): readonly [kept: string, isOpen: boolean] {
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
  if (line.length > maxLineLength) return false;
  if (/^export\s+(?:const|let|default|function|\{)/.test(line)) return true;
  if (/^import\s*\{[^}]*$/.test(line)) return true;
  return /^import\s+[\w{*'"]/.test(line) && endsImport(line);
}

/** Whether a page of Docusaurus or VitePress, which need not end in .mdx, imports a component in this line. */
function isImport(line: string): boolean {
  return /^import (?:\w{1,60}|\{[\w, ]{1,200}\}) from ['"][^'"\s]{1,200}['"];?$/.test(line);
}

function endsImport(line: string): boolean {
  return /from\s{1,20}['"]/.test(line) || /['"]\s{0,20};?$/.test(line.trimEnd());
}

/** Writes the first line of a callout as GitHub does, with its title behind the mark. */
function formatCallout(kind: string, title: string): string {
  return `[!${kind.toUpperCase()}] ${title}`.trim();
}

function calloutKind({ name, parameters }: TemplateTag): string {
  const named = kindParameters.map((key) => parameters.get(key)).find((kind) => kind !== undefined);
  return /^[\w-]{1,20}$/.test(named ?? "") ? (named ?? name).replaceAll("-", "_") : name;
}

/** Reads `!!! note "Title"`, `??? note` and `=== "Tab"`. */
function readAdmonition(
  line: string,
  indent: number,
): { readonly isQuote: boolean; readonly title: string } | undefined {
  const mark = /^(?:!!!(?=[ a-z])|\?\?\?\+?(?= )|===[!+]?(?= ))/.exec(
    line.slice(indent, indent + 6),
  )?.[0];
  if (mark === undefined) return undefined;
  const parts = /^(?:([\w-]{1,40})(?: +[a-z]{1,20}){0,3})?\s*(?:"([^"]*)")?$/.exec(
    line.slice(indent + mark.length).trim(),
  );
  if (parts === null) return undefined;
  const [, kind = "", title = ""] = parts;
  if (mark.startsWith("=")) {
    return kind !== "" || title === "" ? undefined : { isQuote: false, title: `**${title}**` };
  }
  return kind === ""
    ? undefined
    : { isQuote: true, title: formatCallout(kind.replaceAll("-", "_"), title) };
}

/** Reads `:::note`, `:::note[Title]`, `::: details Title` and the `:::` that closes them. */
function readContainer(
  line: string,
  indent: number,
): "end" | { readonly isQuote: boolean; readonly title: string } | undefined {
  if (!line.startsWith(":::", indent)) return undefined;
  let at = indent;
  while (line[at] === ":") at++;
  const body = line.slice(at).trim();
  if (body === "") return "end";
  const name = /^[\w-]{1,40}/.exec(body)?.[0];
  if (name === undefined) return undefined;
  let title = body.slice(name.length).trim();
  // Attributes: `{#id .wide}`.
  if (title.endsWith("}")) title = title.slice(0, Math.max(0, title.lastIndexOf("{"))).trim();
  if (title.startsWith("[") && title.endsWith("]")) title = title.slice(1, -1);
  const kind = name.toLowerCase();
  if (callouts.has(kind))
    return { isQuote: true, title: formatCallout(kind.replaceAll("-", "_"), title) };
  return { isQuote: false, title: title === "" ? "" : `**${title}**` };
}

/** Whether a line only places a table of contents, a file or a class: `[TOC]`, `--8<-- "x.md"`, `<<< @/x.ts`, `{: .wide}`. */
function isDirective(line: string): boolean {
  return /^\s{0,20}(?:\[TOC\]|\[\[_?toc_?\]\]|-{1,3}8<-{1,3}(?:\s.*)?|<<< ?@.*|\{:[^{}]*\})\s{0,20}$/i.test(
    line,
  );
}
