import { loadYaml } from "./yaml.js";

/** One document of a file: its value, or that it could not be read. */
export type ParsedDocument = { readonly value: unknown } | { readonly broken: string };

/**
 * Reads JSON, JSON documents one after another, or YAML with `---` between documents.
 *
 * A broken document does not spoil the others.
 */
export function* parseDocuments(text: string): Generator<ParsedDocument> {
  const trimmed = text.trimStart().replace(/^\uFEFF/, "");
  if (trimmed === "") return;
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) yield* parseJson(trimmed);
  else yield* parseYaml(trimmed);
}

function* parseJson(text: string): Generator<ParsedDocument> {
  const whole = tryParse(() => JSON.parse(text));
  if ("value" in whole) {
    yield whole;
    return;
  }
  let at = nextDocument(text, 0);
  while (at < text.length) {
    const end = endOfJson(text, at);
    yield tryParse(() => JSON.parse(text.slice(at, end)));
    at = nextDocument(text, end);
  }
}

/** Where the next document opens; what lies between documents is not ours to judge. */
function nextDocument(text: string, from: number): number {
  const open = /[{[]/g;
  open.lastIndex = from;
  return open.exec(text)?.index ?? text.length;
}

/** Just after the bracket that closes the one at `from`; the end of the text when none does. */
function endOfJson(text: string, from: number): number {
  const mark = /["{}[\]]/g;
  mark.lastIndex = from;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') {
      mark.lastIndex = endOfString(text, found.index + 1);
      continue;
    }
    depth += found[0] === "{" || found[0] === "[" ? 1 : -1;
    if (depth === 0) return found.index + 1;
  }
  return text.length;
}

function endOfString(text: string, from: number): number {
  const mark = /["\\]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') return found.index + 1;
    mark.lastIndex = found.index + 2;
  }
  return text.length;
}

function* parseYaml(text: string): Generator<ParsedDocument> {
  for (const part of text.split(/^---(?=\s|$).*$/m)) {
    if (isBlank(part)) continue;
    if (part.length > longList) yield* parseYamlList(part);
    else yield tryParse(() => loadYaml(part));
  }
}

/** True for text of nothing but white space, comments and directives. */
function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("\n", at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, end).trim();
    if (line !== "" && !/^[#%]/.test(line)) return false;
    at = end + 1;
  }
  return true;
}

/** From this length on, a list is read item by item. */
const longList = 262_144;

/**
 * Reads a list as `kubectl get -o yaml` prints it, one item at a time, so that other work can run
 * between items and a broken item does not spoil the others. Other YAML is read whole.
 *
 * @returns The list once for each item, with only that item in it.
 */
function* parseYamlList(text: string): Generator<ParsedDocument> {
  const opening = /^items:[ \t]*\r?\n( {0,8})(?=- )/m.exec(text);
  if (opening === null) {
    yield tryParse(() => loadYaml(text));
    return;
  }
  const [line, indent = ""] = opening;
  const from = opening.index + line.length - indent.length;
  // Whatever belongs to an item is indented, also the text of a block.
  const next = /^[^\s#-]/gm;
  next.lastIndex = from;
  const end = next.exec(text)?.index ?? text.length;
  const head = tryParse(() => loadYaml(`${text.slice(0, opening.index)}${text.slice(end)}`));
  if (!("value" in head) || typeof head.value !== "object") {
    yield head;
    return;
  }
  const start = `\n${indent}- `;
  let at = from;
  while (at < end) {
    const found = text.indexOf(start, at);
    const until = found < 0 ? end : Math.min(found + 1, end);
    const item = tryParse(() => loadYaml(text.slice(at, until)));
    yield "value" in item ? { value: { ...head.value, items: item.value } } : item;
    at = until;
  }
}

function tryParse(read: () => unknown): ParsedDocument {
  try {
    return { value: read() };
  } catch (thrown) {
    return { broken: thrown instanceof Error ? thrown.name : "unreadable" };
  }
}
