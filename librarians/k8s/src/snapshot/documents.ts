import { parse } from "yaml";

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
    if (part.length <= 10_000 && /^\s*(?:#.*\s*)*$/.test(part)) continue;
    if (part.length > longList) yield* parseYamlList(part);
    else yield tryParseYaml(part);
  }
}

/** From this length on, a list is read item by item. */
const longList = 262_144;

/**
 * Reads a list as `kubectl get -o yaml` prints it, one item at a time: whoever reads it can do something
 * else in between, and a broken item does not spoil the others. Other YAML is read whole.
 *
 * @returns The list once for each item, with only that item in it.
 */
function* parseYamlList(text: string): Generator<ParsedDocument> {
  const opening = /^items:[ \t]*\r?\n(?=- )/m.exec(text);
  if (opening === null) {
    yield tryParseYaml(text);
    return;
  }
  const from = opening.index + opening[0].length;
  // Whatever belongs to an item is indented, also the text of a block.
  const next = /^[^\s#-]/gm;
  next.lastIndex = from;
  const end = next.exec(text)?.index ?? text.length;
  const head = tryParseYaml(`${text.slice(0, opening.index)}${text.slice(end)}`);
  if (!("value" in head) || typeof head.value !== "object") {
    yield tryParseYaml(text);
    return;
  }
  const start = /^- /gm;
  start.lastIndex = from + 1;
  let at = from;
  while (at < end) {
    const found = start.exec(text)?.index ?? end;
    const until = Math.min(found, end);
    const item = tryParseYaml(text.slice(at, until));
    yield "value" in item ? { value: { ...head.value, items: item.value } } : item;
    at = until;
  }
}

function tryParseYaml(text: string): ParsedDocument {
  // Dumps have no aliases, so few are enough; a bomb made of them fails here.
  return tryParse(() => parse(text, { maxAliasCount: 20, logLevel: "error", schema: "core" }));
}

function tryParse(read: () => unknown): ParsedDocument {
  try {
    return { value: read() };
  } catch (thrown) {
    return { broken: thrown instanceof Error ? thrown.name : "unreadable" };
  }
}
