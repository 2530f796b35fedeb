import {
  isPlacing,
  type Opening,
  readAdmonition,
  readContainer,
  readDirectiveFence,
  readOption,
  readTagOpening,
  readWholeTag,
  toAlert,
  writeComponent,
} from "./directives.js";
import { toPlainInline } from "./inline-syntaxes.js";
import { readTagAt, tagBegin } from "./template-tags.js";

/** Maximum length of a line with an extension; longer lines are prose. */
const maxLineLength = 2_000;
/** Maximum number of lines of a tag, and of a statement of a script. */
const maxTagLines = 40;
const maxStatementLines = 200;

/** The begin of a definition: a colon, and the text that defines the term above. */
const definition = /^( *): {1,4}(?=[^ ])/;

/** Most lines: blank, a heading, or prose that begins neither a statement nor anything else below. */
const plainLine = /^(?: {0,3}(?!import |export )[A-Za-z#]| *$)/;

/** A construct that is open: its lines lose `strip` columns and get `prefix` in front. */
interface Container {
  /** Lines with less indentation end it; undefined where a line of its own closes it. */
  readonly minIndent?: number;
  /** What closes it: `:::`, a fence, or the name of a tag. */
  readonly closedBy?: string;
  /** Undefined until its first line. */
  strip: number | undefined;
  readonly prefix: string;
  readonly isHidden: boolean;
}

/**
 * Rewrites the Markdown extensions of documentation tools as plain Markdown, line by line, so that line numbers stay.
 *
 * Callouts become the quotations that GitHub uses for alerts; tabs and other parts with a title begin with it, in bold type;
 * definitions become items of a list; includes, tables of contents, options, and imports, exports and comments of MDX are
 * removed. Code stays as it is.
 */
export function toStandardMarkdown(lines: readonly string[], isMdx: boolean): readonly string[] {
  const out: string[] = [];
  const open: Container[] = [];
  let fence: Fence | undefined;
  let inMdxComment = false;
  let inList = false;
  const emit = (line: string) => {
    const container = open.at(-1);
    if (container === undefined) {
      out.push(line);
      return;
    }
    if (line.trim() !== "") container.strip ??= countIndent(line);
    const text = line.slice(Math.min(container.strip ?? 0, countIndent(line)));
    if (container.isHidden) out.push("");
    else out.push(text === "" ? container.prefix.trimEnd() : container.prefix + text);
  };
  /** Opens a container whose mark stands `indent` columns into the line. */
  const begin = (
    indent: number,
    { title, isQuote, isHidden }: Opening,
    end: Pick<Container, "minIndent" | "closedBy"> & { readonly strip?: number },
  ) => {
    const above = open.at(-1);
    if (above !== undefined) above.strip ??= indent;
    const outer = (above?.prefix ?? "") + " ".repeat(Math.max(0, indent - (above?.strip ?? 0)));
    const hidden = isHidden || above?.isHidden === true;
    const prefix = isQuote ? `${outer}> ` : outer;
    open.push({ strip: undefined, ...end, prefix, isHidden: hidden });
    out.push(title === "" || hidden ? "" : toPlainInline(prefix + title));
  };
  /** Closes the container with this mark, and those inside it. */
  const end = (mark: string) => {
    const at = open.findLastIndex(({ closedBy }) => closedBy === mark);
    if (at >= 0) open.length = at;
    out.push("");
  };
  const drop = (count: number) => {
    for (let each = 0; each < count; each++) out.push("");
  };

  for (let at = 0; at < lines.length; at = out.length) {
    let line = lines[at] ?? "";
    if (fence === undefined && line.trim() !== "") {
      // Indented text ends at the first line with less indentation.
      while (open.length > 0 && countIndent(line) < (open.at(-1)?.minIndent ?? 0)) open.pop();
      // A heading begins a section: what was left open ends there.
      while (open.at(-1)?.closedBy !== undefined && /^#{1,6} /.test(line)) open.pop();
      if (/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)) inList = true;
      else if (!/^\s/.test(line)) inList = false;
    }
    if (fence !== undefined) {
      emit(isInclude(line) ? "" : line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    if (plainLine.test(line) && !isMdx && !inMdxComment && line.length <= maxLineLength) {
      emit(toPlainInline(line));
      continue;
    }
    const indent = countIndent(line);
    const isClosed = /^\s*[`~]/.test(line) && open.some(({ closedBy }) => closedBy === line.trim());
    const options = optionsBelow(lines, at);
    const directive = isClosed ? undefined : readDirectiveFence(line, options);
    if (directive !== undefined) {
      if (typeof directive.begins === "string") {
        fence = { mark: directive.fence, column: indent };
        emit(directive.begins);
      } else begin(indent, directive.begins, { closedBy: directive.fence });
      for (const _ of options) emit("");
      continue;
    }
    const opened = isClosed ? undefined : fenceOf(line);
    if (opened !== undefined) {
      fence = opened;
      emit(line);
      continue;
    }
    if (isMdx || inMdxComment) {
      const [kept, isOpen] = withoutMdxComment(line, inMdxComment);
      inMdxComment = isOpen;
      line = kept;
    }
    const statement = statementLines(lines, at, line, isMdx);
    if (statement > 0) {
      drop(statement);
      continue;
    }
    if (line.length > maxLineLength) {
      emit(line);
      continue;
    }
    const admonition = readAdmonition(line);
    if (admonition !== undefined) {
      begin(indent, admonition, { minIndent: indent + 4, strip: indent + 4 });
      continue;
    }
    if (isClosed) {
      end(line.trim());
      continue;
    }
    if (isPlacing(line)) {
      drop(1);
      continue;
    }
    const container = readContainer(line, options);
    if (container !== undefined) {
      const closedBy = line.trim().startsWith("/") ? "///" : ":::";
      if (container === "end") end(closedBy);
      else {
        begin(indent, container, { closedBy, strip: indent });
        for (const _ of options) emit("");
      }
      continue;
    }
    const isCode = indent >= 4 && !inList && open.length === 0;
    const whole = isCode || !tagBegin.test(line) ? undefined : readLinesOfTag(lines, at, line);
    if (whole === undefined) {
      const target = /^\(([\w.:-]{1,100})\)=$/.exec(line.trim())?.[1];
      if (target !== undefined) emit(`<a id="${target}"></a>`);
      else emit(isCode ? line : toPlainInline(toAlert(line.replace(definition, "$1-   "))));
      continue;
    }
    const { tag, inner, count } = whole;
    const next = at + count;
    const pad = " ".repeat(indent);
    if (tag.name === "highlight" && !tag.isComponent) {
      emit(`${pad}\`\`\`${tag.isClosing ? "" : (tag.parameters.get("0") ?? "")}`);
    } else if (tag.isClosing) end(tag.name);
    else if (inner !== undefined) emit(pad + toPlainInline(writeComponent(tag, inner)));
    else {
      const opening = readTagOpening(tag);
      if (typeof opening === "string") emit(opening === "" ? "" : pad + opening);
      else
        begin(indent, opening, { closedBy: tag.name, ...(!tag.isComponent && { strip: indent }) });
    }
    drop(next - out.length);
  }
  return out;
}

function countIndent(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32) at++;
  return at;
}

/** Where code begins. */
interface Fence {
  readonly mark: string;
  readonly column: number;
}

/** The fence that a line begins with, also within quotations and lists. */
function fenceOf(line: string): Fence | undefined {
  const [before = "", mark] = /^ *(?:[-*+>] +|\d+[.)] +)*(`{3,}|~{3,})/.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, column: before.length - mark.length };
}

/** Whether a line ends code: a fence that is indented by four more columns is code itself. */
function closes(line: string, { mark, column }: Fence): boolean {
  const end = fenceOf(line);
  if (end === undefined || !end.mark.startsWith(mark) || end.column > column + 3) return false;
  return /^\s*(?:>\s*)*(?:`+|~+)\s*$/.test(line);
}

/** Whether a line of code only includes a file, as mdBook writes it. */
function isInclude(line: string): boolean {
  return /^\s*\{\{#(?:include|playground|rustdoc_include)\b/.test(line);
}

/** Options in the lines below a directive of Sphinx. */
function optionsBelow(lines: readonly string[], at: number): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  if (!/^\s*(?:`{3,}|~{3,}|:{3,})\{/.test(lines[at] ?? "")) return options;
  for (let below = at + 1; below < lines.length; below++) {
    const option = readOption(lines[below] ?? "");
    if (option === undefined || options.has(option[0])) break;
    options.set(...option);
  }
  return options;
}

/** The tag that a line is, or begins and a later line ends, with the number of its lines. */
function readLinesOfTag(lines: readonly string[], at: number, line: string) {
  const text = line.trim();
  if (text.search(tagBegin) !== 0) return undefined;
  let joined = text;
  for (let count = 1; count <= maxTagLines && joined.length <= maxLineLength; count++) {
    const whole = readWholeTag(joined);
    if (whole !== undefined) return { ...whole, count };
    if (readTagAt(joined, 0) !== undefined) return undefined;
    const below = lines[at + count]?.trim();
    if (below === undefined) return undefined;
    joined += ` ${below}`;
  }
  return undefined;
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

/** Begins of imports and exports in any page, and of those in MDX alone, where an expression may be a block. */
const statement =
  /^(?:import (?:\w{1,60}|\{[\w, ]{1,200}\}|\* as \w{1,60}) from ['"]|export (?:const|let) \w{1,60} ?=|export (?:default )?function )/;
const mdxStatement =
  /^(?:import\s*\{[^}]*$|import\s+[\w{*'"].*(?:from\s{1,20}['"]|['"]\s{0,20};?$)|export\s+(?:const|let|default|function|\{)|\{(?!\{[<%]))/;

/**
 * Number of lines of the statement of a script that begins here; 0 where none does. It ends where its brackets are closed; one
 * whose brackets are never closed is its first line alone.
 */
function statementLines(
  lines: readonly string[],
  at: number,
  line: string,
  isMdx: boolean,
): number {
  if (line.length > maxLineLength || line.startsWith(" ")) return 0;
  if (!statement.test(line) && !(isMdx && mdxStatement.test(line))) return 0;
  const isExpression = line.startsWith("{");
  let depth = 0;
  const last = Math.min(lines.length, at + maxStatementLines);
  for (let end = at; end < last; end++) {
    const text = end === at ? line : (lines[end] ?? "");
    if (/^#{1,6} /.test(text)) break;
    for (const bracket of text.match(/[()[\]{}]/g) ?? []) depth += "([{".includes(bracket) ? 1 : -1;
    if (depth > 0 || /(?:=>?|\() *$/.test(text)) continue;
    return isExpression && !text.trimEnd().endsWith("}") ? 0 : end - at + 1;
  }
  return isExpression ? 0 : 1;
}
