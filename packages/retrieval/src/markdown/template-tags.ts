/** A tag of a template: `{{< note "Mind" >}}` of Hugo, `{% hint style="info" %}` of GitBook and Jekyll. */
export interface TemplateTag {
  /** Lower case, without `/` or `end`. */
  readonly name: string;
  readonly isClosing: boolean;
  /** Whether the tag has no content and no closing tag: `{{< note />}}`. */
  readonly isWhole: boolean;
  /** By key, lower case; those without a key by their number, from "0". */
  readonly parameters: ReadonlyMap<string, string>;
  /** The parameter that readers see as a title; empty without one. */
  readonly title: string;
  /** The parameter that stands in the text, as in `{{< glossary text="Pod" >}}`; empty without one. */
  readonly text: string;
}

/** Maximum length of one tag, in characters. */
const maxTagLength = 500;
const brackets = [
  ["{{<", ">}}"],
  ["{{%", "%}}"],
  ["{%", "%}"],
] as const;

/** Splits a line into the text that readers see and its template tags. Code between back quotes is text. */
export function readTemplateTags(line: string): {
  readonly text: string;
  readonly tags: readonly TemplateTag[];
} {
  if (!line.includes("{%") && !line.includes("{{<")) return { text: line, tags: [] };
  const tags: TemplateTag[] = [];
  let text = "";
  let at = 0;
  while (at < line.length) {
    const code = line[at] === "`" ? /^(`+)[^`]*\1/.exec(line.slice(at))?.[0] : undefined;
    if (code !== undefined) {
      text += code;
      at += code.length;
      continue;
    }
    const [begin, close] = brackets.find(([mark]) => line.startsWith(mark, at)) ?? [];
    const end = begin === undefined ? -1 : line.indexOf(close, at + begin.length);
    if (begin === undefined || end < 0 || end - at > maxTagLength) {
      text += line[at];
      at++;
      continue;
    }
    const tag = readTag(line.slice(at + begin.length, end));
    tags.push(tag);
    // Alone on its line a tag is handled by its name; within a line only its text is seen.
    if (line.trim().length > end + close.length - at) text += tag.text;
    at = end + close.length;
  }
  return { text, tags };
}

function readTag(source: string): TemplateTag {
  const words = [
    ...source
      .trim()
      .matchAll(
        /([\w.-]{1,60})\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|(\S+)/g,
      ),
  ];
  const first = words[0]?.[0] ?? "";
  const isClosing = /^(?:\/|end(?=[a-z]))/i.test(first);
  const parameters = new Map<string, string>();
  for (const [at, [, key, ...values]] of words.slice(1).entries()) {
    const value = values.find((each) => each !== undefined) ?? "";
    if (value !== "/") parameters.set(key?.toLowerCase() ?? String(at), value);
  }
  const pick = (...keys: readonly string[]) =>
    keys.map((key) => parameters.get(key)).find((value) => value !== undefined) ?? "";
  return {
    name: first.replace(/^(?:\/|end(?=[a-z]))/i, "").toLowerCase(),
    isClosing,
    isWhole: source.trimEnd().endsWith("/") && !isClosing,
    parameters,
    title: pick("title", "name", "header", "label", "heading", "summary", "0"),
    text: pick("text", "label"),
  };
}
