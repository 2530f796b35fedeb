/** A tag of a template or a component: `{{< note "Mind" >}}` of Hugo, `{% hint style="info" %}` of GitBook and Jekyll, `<TabItem label="npm">` of MDX. */
export interface TemplateTag {
  /** Lower case, without `/` or `end`, and without what stands before a dot. */
  readonly name: string;
  readonly isClosing: boolean;
  /** Whether the tag has no content and no closing tag: `{{< note />}}`. */
  readonly isWhole: boolean;
  readonly isComponent: boolean;
  /** By key, lower case; those without a key by their number, from "0". */
  readonly parameters: ReadonlyMap<string, string>;
  /** The parameter that readers see as a title; empty without one. */
  readonly title: string;
  /** The parameter that stands in the text, as in `{{< glossary text="Pod" >}}`; empty without one. */
  readonly text: string;
}

/** Maximum length of one tag, in characters. */
const maxTagLength = 2_000;
const brackets = [
  ["{{<", ">}}"],
  ["{{%", "%}}"],
  ["{%", "%}"],
] as const;
/** Where a tag may begin. */
export const tagBegin = /\{\{[<%]|\{%|<\/?[A-Z]/;
const tagBegins = new RegExp(tagBegin, "g");

/** Reads the tag that begins at a place of a text, and where it ends; undefined where none does, or it does not end. */
export function readTagAt(
  text: string,
  at: number,
): { readonly tag: TemplateTag; readonly end: number } | undefined {
  if (text[at] === "<") {
    const end = componentEnd(text, at);
    const tag = end === undefined ? undefined : readComponent(text.slice(at, end));
    return end === undefined || tag === undefined ? undefined : { tag, end };
  }
  const [begin, close] = brackets.find(([mark]) => text.startsWith(mark, at)) ?? [];
  // An escaped tag of Hugo, {{</* note */>}}, is shown.
  if (begin === undefined || text.startsWith("/*", at + begin.length)) return undefined;
  const end = text.slice(0, at + maxTagLength).indexOf(close, at + begin.length);
  if (end < 0) return undefined;
  return {
    tag: readTag(text.slice(at + begin.length, end), false),
    end: end + close.length,
  };
}

/** A text with what readers see of its tags, of which a heading has nothing. */
export function withoutTags(text: string, isHeading: boolean): string {
  let shown = "";
  let from = 0;
  for (const { index } of text.matchAll(tagBegins)) {
    const found = index < from ? undefined : readTagAt(text, index);
    if (found === undefined) continue;
    shown += text.slice(from, index) + (isHeading ? "" : found.tag.text);
    from = found.end;
  }
  return shown + text.slice(from);
}

/** Finds where a component's tag ends, whose attributes may hold quotes and braces. */
function componentEnd(text: string, at: number): number | undefined {
  let quote = "";
  let depth = 0;
  const last = Math.min(text.length, at + maxTagLength);
  for (let end = at + 1; end < last; end++) {
    const character = text[end] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === "{") depth++;
    else if (character === "}") depth--;
    else if (depth > 0) continue;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "<") return undefined;
    else if (character === ">") return end + 1;
  }
  return undefined;
}

/** Undefined for a placeholder, such as `<NAME>`. */
function readComponent(written: string): TemplateTag | undefined {
  const [, slash = "", name = ""] = /^<(\/?)([A-Z][\w.-]{0,60})[\s/>]/.exec(written) ?? [];
  if (name === "" || /^[A-Z][A-Z\d_-]+$/.test(name)) return undefined;
  const rest = written.slice(1 + slash.length + name.length, -1);
  return readTag(`${slash}${name.slice(name.lastIndexOf(".") + 1)} ${rest}`, true);
}

function readTag(source: string, isComponent: boolean): TemplateTag {
  const words = [
    ...source
      .trim()
      .matchAll(
        /([\w.-]{1,60})\s?=\s?(?:"([^"]*)"|'([^']*)'|\{\s?["'`]([^"'`{}]*)["'`]\s?\}|([^\s"']+))|"([^"]*)"|'([^']*)'|(\S+)/g,
      ),
  ];
  const first = words[0]?.[0] ?? "";
  const isClosing = /^(?:\/|end(?=[a-z]))/i.test(first);
  const parameters = new Map<string, string>();
  for (const [at, [, key, ...values]] of words.slice(1).entries()) {
    const value = values.find((each) => each !== undefined) ?? "";
    if (value !== "/" && !(isComponent && key === undefined)) {
      parameters.set(key?.toLowerCase() ?? String(at), value);
    }
  }
  const pick = (...keys: readonly string[]) =>
    keys.map((key) => parameters.get(key)).find((value) => value !== undefined) ?? "";
  return {
    name: first.replace(/^(?:\/|end(?=[a-z]))/i, "").toLowerCase(),
    isClosing,
    isWhole: source.trimEnd().endsWith("/") && !isClosing,
    isComponent,
    parameters,
    title: pick("title", "name", "header", "label", "heading", "summary", "0", "value", "path"),
    text: pick("text", "label"),
  };
}
