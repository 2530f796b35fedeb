/** A line of `kubectl describe` with what stands indented under it. */
export interface Outline {
  /** Before the colon. Empty for a line without one. */
  readonly key: string;
  readonly value: string;
  /** The whole line, trimmed. */
  readonly text: string;
  readonly children: readonly Outline[];
}

/** Maximum number of lines of one description. */
const maxLines = 5_000;

/** True for a text with a description: `Name:` at the margin, and other keys after it. */
export function isDescription(text: string): boolean {
  return (
    /^Name: {2,}\S/m.test(text) && /^(?:Namespace|Labels|Status|Annotations): {1,}/m.test(text)
  );
}

/** The descriptions in a text, each from its `Name:` to the next one. */
export function descriptionsIn(text: string): readonly string[] {
  const parts = text.split(/^(?=Name: {2,}\S)/m);
  return parts.filter((part) => isDescription(part));
}

/** Reads a description as a tree, by its indentation. */
export function parseOutline(text: string): readonly Outline[] {
  type Node = { key: string; value: string; text: string; children: Node[] };
  const root: Node = { key: "", value: "", text: "", children: [] };
  const open: { node: Node; indent: number }[] = [{ node: root, indent: -1 }];
  for (const line of text.split("\n").slice(0, maxLines)) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const indent = line.length - line.trimStart().length;
    const node: Node = { ...split(trimmed), text: trimmed, children: [] };
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    open.at(-1)?.node.children.push(node);
    open.push({ node, indent });
  }
  return root.children;
}

function split(line: string): { readonly key: string; readonly value: string } {
  const at = /^([^:]{1,80}):(?: {1,200}|$)/.exec(line);
  if (at === null) return { key: "", value: line };
  return { key: at[1]?.trim() ?? "", value: line.slice(at[0].length).trim() };
}

/** The child of that key. */
export function child(outlines: readonly Outline[], key: string): Outline | undefined {
  return outlines.find((one) => one.key === key);
}

/** The value of that key. Undefined where it is missing or `<none>`. */
export function findText(outlines: readonly Outline[], key: string): string | undefined {
  const value = child(outlines, key)?.value;
  return value === undefined || value === "" || /^<(?:none|unset|unknown)>$/.test(value)
    ? undefined
    : value;
}

/** A value and the lines under it: labels, taints, finalizers. */
export function findLines(outlines: readonly Outline[], key: string): readonly string[] {
  const found = child(outlines, key);
  if (found === undefined) return [];
  return [found.value, ...found.children.map(({ text }) => text)].filter(
    (value) => value !== "" && value !== "<none>",
  );
}

/** `a=b` lines as a record. */
export function parsePairs(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.search(/[=:]/);
      return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
}

/** Rows of a table with a line of dashes under its header, by columns that two spaces divide. */
export function cells(line: string): readonly string[] {
  return line.trim().split(/ {2,}/);
}
