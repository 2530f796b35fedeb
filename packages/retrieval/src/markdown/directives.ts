import { readTagAt, type TemplateTag } from "./template-tags.js";

/** What a mark of a documentation tool begins. */
export interface Opening {
  /** What readers see first; empty without a title. */
  readonly title: string;
  /** Whether it is a callout. */
  readonly isQuote: boolean;
  /** Whether readers do not see what stands in it. */
  readonly isHidden: boolean;
}

/** Names of callouts, as Hugo, GitBook, Docusaurus, VitePress, MkDocs, Starlight and Sphinx write them. */
const callouts = words(
  "admonition alert aside attention callout caution danger deprecated error failure hint important info note notice question " +
    "seealso success tip todo versionadded versionchanged warn warning",
);
/** Callouts whose kind is a parameter. */
const kindParameters = ["type", "style", "kind", "level", "color", "intent", "class"];
/** Parts that readers choose or open by their title. */
const titled = words(
  "accordion card code-tab codegrouptab codetab collapse details dropdown expand field linkcard paramfield responsefield step tab " +
    "tab-item tabitem",
);
/** Directives of Sphinx that are code, and those that place something else. */
const codeDirectives = words(
  "code code-block code-cell literalinclude math mermaid parsed-literal prompt sourcecode",
);
const placingDirectives = words(
  "autoclass autofunction automodule bibliography contents eval-rst image include index raw tableofcontents toctree",
);

/** Lines that only place a table of contents, a file, a class or the end of something. */
const placing: readonly RegExp[] = [
  // Python-Markdown, VitePress, GitLab, MediaWiki
  /^(?:\[TOC\]|\[\[_?toc_?\]\]|__TOC__)$/i,
  // MkDocs: --8<-- "file", abbreviations
  /^;?-{1,3}8<-{1,3}(?:\s.*)?$/,
  /^\*\[[^\]]{1,80}\]:\s.*$/,
  // VitePress: <<< @/file.js#region
  /^<<<\s?[@./].*$/,
  // kramdown: {: .wide}, {:toc}; MkDocs and Hugo: { .annotate }
  /^\{:[^{}]*\}$/,
  // Learn: :::row:::, :::image source="a.png":::, [!INCLUDE [x](y.md)]
  /^:::.*:::$/,
  /^(?:> ?)?\[!(?:INCLUDE|div|VIDEO)\b.*\]$/,
];

/** Whether a line only places something that is not on the page. */
export function isPlacing(line: string): boolean {
  const text = line.trim();
  return placing.some((pattern) => pattern.test(text));
}

/** Reads what holds indented text: `!!! note "Title"`, `??? note`, `=== "Tab"`, `[^1]: text` and `::: module.name` of MkDocs. */
export function readAdmonition(line: string): Opening | undefined {
  const text = line.trim();
  const footnote = /^\[\^[\w-]{1,40}\]:(.*)$/.exec(text)?.[1];
  if (footnote !== undefined) return plain(footnote.trim());
  if (/^::: ?\w{1,60}(?:\.\w{1,60}){1,20}$/.test(text)) return hidden;
  const mark = /^(?:!!!(?=[ a-z])|\?\?\?\+?(?= )|===[!+]?(?= ))/.exec(text)?.[0];
  if (mark === undefined) return undefined;
  const parts = /^(?:([\w-]{1,40})(?: +[\w-]{1,40}){0,12})?\s*(?:"(.*)")?$/.exec(
    text.slice(mark.length).trim(),
  );
  if (parts === null) return undefined;
  const [, kind = "", title = ""] = parts;
  if (mark.startsWith("=")) {
    return kind !== "" || title === "" ? undefined : plain(`**${title}**`);
  }
  return kind === "" ? undefined : callout(kind, title);
}

/**
 * Reads `:::note`, `:::note[Title]`, `::: details Title`, `:::{note} Title`, `/// note | Title` and the mark that
 * closes them.
 *
 * @param options - Of the directive, from the lines below.
 */
export function readContainer(
  line: string,
  options: ReadonlyMap<string, string>,
): "end" | Opening | undefined {
  const text = line.trim();
  const mark = /^(?::{3,}|\/{3,})/.exec(text)?.[0];
  if (mark === undefined) return undefined;
  const body = text.slice(mark.length).trim();
  if (body === "" || /^[\w-]{1,40}-end$/.test(body)) return "end";
  const [whole = "", braced, name = braced] =
    /^(?:\{([\w:-]{1,40})\}|([\w.-]{1,80}))/.exec(body) ?? [];
  if (name === undefined) return undefined;
  let title = body.slice(whole.length).trim();
  if (mark.startsWith("/")) {
    if (/[^\w|-]/.test(body[whole.length] ?? " ") && title !== "" && !title.startsWith("|")) {
      return undefined;
    }
    title = title.replace(/^\|\s*/, "");
  }
  // Attributes: `{#id .wide}`, `range="1"`.
  if (title.endsWith("}")) title = title.slice(0, Math.max(0, title.lastIndexOf("{"))).trim();
  if (/^[\w-]{1,40}=/.test(title)) title = "";
  if (title.startsWith("[") && title.endsWith("]")) title = title.slice(1, -1);
  return openingOf(name, title, options);
}

/** A fence of Sphinx: what it begins, or the mark of the code in it. */
export function readDirectiveFence(
  line: string,
  options: ReadonlyMap<string, string>,
): { readonly fence: string; readonly begins: Opening | string } | undefined {
  const [, indent = "", fence, name = "", rest = ""] =
    /^( *)(`{3,}|~{3,})\{([\w:-]{1,40})\}(.{0,500})$/.exec(line) ?? [];
  if (fence === undefined) return undefined;
  const title = rest.trim();
  const kind = name.toLowerCase();
  return {
    fence,
    begins: codeDirectives.has(kind)
      ? `${indent}${fence}${title}`
      : openingOf(kind, title, options),
  };
}

function openingOf(name: string, title: string, options: ReadonlyMap<string, string>): Opening {
  const kind = name.toLowerCase();
  if (callouts.has(kind)) {
    const style = options
      .get("class")
      ?.split(/\s/)
      .find((each) => callouts.has(each));
    return callout(style ?? kind, title);
  }
  if (placingDirectives.has(kind)) return hidden;
  const isFile = kind === "figure";
  return plain(title === "" || isFile ? "" : `**${title}**`);
}

/** An option of a directive: `:class: warning`. */
export function readOption(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value = ""] = /^\s*:([\w-]{1,40}):(?:\s+(\S.*))?$/.exec(line) ?? [];
  return name === undefined ? undefined : [name.toLowerCase(), value];
}

/** What a tag that stands alone begins; a text where it only shows one. */
export function readTagOpening(tag: TemplateTag): Opening | string {
  if (callouts.has(tag.name) && !tag.isWhole) return callout(calloutKind(tag), tag.title);
  const title = titled.has(tag.name) && tag.title !== "" ? `**${tag.title}**` : "";
  const description = title === "" ? undefined : tag.parameters.get("description");
  const shown = [title, description ?? ""].filter((each) => each !== "").join(" ");
  if (!tag.isComponent || tag.isWhole) return shown === "" ? tag.text : shown;
  return plain(shown);
}

/** Writes a component that is opened and closed in one line. */
export function writeComponent(tag: TemplateTag, inner: string): string {
  const opening = readTagOpening(tag);
  if (typeof opening === "string") return inner;
  const { isQuote, title } = opening;
  return [isQuote ? `> ${title}` : title, inner].filter((each) => each !== "").join(" ");
}

/** The tag that a line is, or the component that it begins and ends with. */
export function readWholeTag(
  line: string,
): { readonly tag: TemplateTag; readonly inner?: string } | undefined {
  const text = line.trim();
  const found = readTagAt(text, 0);
  if (found === undefined) return undefined;
  const { tag, end } = found;
  if (end === text.length) return { tag };
  const closing = `</${/^<([\w.-]*)/.exec(text)?.[1]}>`;
  const inner = text.slice(end, -closing.length);
  const isOne = tag.isComponent && !tag.isWhole && text.endsWith(closing);
  return isOne && !inner.includes(closing) ? { tag, inner: inner.trim() } : undefined;
}

/** Quotations of other tools as GitHub writes them: `!> text` and `?> text` of docsify, `> {note} text` of Laravel. */
export function toAlert(line: string): string {
  return line
    .replace(/^( {0,3})([!?])> (?=\S)/, (_, indent: string, mark: string) => {
      return `${indent}> [!${mark === "!" ? "IMPORTANT" : "TIP"}] `;
    })
    .replace(/^( {0,3}> ?)\{([a-z]{3,10})\} (?=\S)/, (whole, mark: string, kind: string) =>
      callouts.has(kind) ? `${mark}[!${kind.toUpperCase()}] ` : whole,
    );
}

function calloutKind({ name, parameters }: TemplateTag): string {
  const named = kindParameters.map((key) => parameters.get(key)).find((kind) => kind !== undefined);
  return /^[\w-]{1,20}$/.test(named ?? "") ? (named ?? name) : name;
}

/** The first line of a callout as GitHub writes it, with its title behind the mark. */
function callout(kind: string, title: string): Opening {
  const mark = `[!${kind.replaceAll("-", "_").toUpperCase()}] ${title}`.trim();
  return { title: mark, isQuote: true, isHidden: false };
}

const hidden: Opening = { title: "", isQuote: false, isHidden: true };

function plain(title: string): Opening {
  return { title, isQuote: false, isHidden: false };
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
