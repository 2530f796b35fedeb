import { DocumentTooLargeError, loadAllYaml, loadYaml } from "./yaml.js";

/** One document of a file: its value, or that it could not be read. */
export type ParsedDocument = { readonly value: unknown } | { readonly broken: string };

/** Maximum number of broken documents of one file. Beyond it, the file is taken for one of another kind. */
export const maxBroken = 200;

/** `broken` of the last document of a file with more than {@link maxBroken}; what follows is not read. */
export const tooManyBroken = "TooManyBroken";

/**
 * Reads JSON, JSON documents one after another, or YAML with `---` between documents.
 *
 * A broken document does not spoil the others, up to {@link maxBroken} of them.
 */
export function* parseDocuments(text: string): Generator<ParsedDocument> {
  const trimmed = text.trimStart().replace(/^\uFEFF/, "");
  if (trimmed === "") return;
  const isJson = trimmed.startsWith("{") || trimmed.startsWith("[");
  let broken = 0;
  for (const document of isJson ? parseJson(trimmed) : parseYaml(trimmed)) {
    if ("broken" in document && ++broken > maxBroken) {
      yield { broken: tooManyBroken };
      return;
    }
    yield document;
  }
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

/** Where the next document opens. Text between documents is not checked. */
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
  let short: string[] = [];
  let left = Math.floor(maxDocuments.any + text.length / maxDocuments.length);
  for (const part of text.split(/^---(?=\s|$).*$/m)) {
    if (isBlank(part)) continue;
    if (left-- === 0) {
      yield { broken: DocumentTooLargeError.name };
      break;
    }
    const isShort = part.length <= shortPart;
    if (isShort) short.push(part);
    if (isShort && short.length < maxTogether) continue;
    yield* parseTogether(short);
    short = [];
    if (part.length > longList) yield* parseYamlList(part);
    else if (!isShort) yield tryParse(() => loadYaml(part));
  }
  yield* parseTogether(short);
}

/** Maximum number of documents of one file: some for any, and one for so many characters. No object is as short. */
const maxDocuments = { any: 5_000, length: 40 } as const;
/** Parts of at most this length are read together: to begin anew costs more than they do. */
const shortPart = 2_048;
const maxTogether = 32;

/** Reads short documents at once, and one by one where one of them is broken. */
function* parseTogether(parts: readonly string[]): Generator<ParsedDocument> {
  if (parts.length === 0) return;
  const whole = tryParse(() => loadAllYaml(parts.map((part) => `---\n${part}\n`).join("")));
  if ("value" in whole && Array.isArray(whole.value) && whole.value.length === parts.length) {
    for (const value of whole.value) yield { value };
  } else {
    for (const part of parts) yield tryParse(() => loadYaml(part));
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
 * Reads a list as `kubectl get -o yaml` prints it, some items at a time, so that other work can run
 * between items and a broken item does not spoil the others. Other YAML is read whole.
 *
 * @returns The list several times, each with some of its items.
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
  let short: string[] = [];
  for (const item of itemsIn(text, from, end, `\n${indent}- `)) {
    const isShort = item.length <= shortPart;
    if (isShort) short.push(item);
    if (isShort && short.length < maxTogether) continue;
    yield* readListItems(short, head.value);
    short = [];
    if (!isShort) yield* readListItems([item], head.value);
  }
  yield* readListItems(short, head.value);
}

/** The items of a list, each as it is written. */
function* itemsIn(text: string, from: number, end: number, start: string): Generator<string> {
  for (let at = from; at < end; ) {
    const found = text.indexOf(start, at);
    const until = found < 0 || found >= end ? end : found + 1;
    yield text.slice(at, until);
    at = until;
  }
}

/** The list with these items only; once for each of them where one is broken. */
function* readListItems(items: readonly string[], head: object | null): Generator<ParsedDocument> {
  if (items.length === 0) return;
  const read = tryParse(() => loadYaml(items.join("")));
  if ("value" in read) yield { value: { ...head, items: read.value } };
  else if (items.length === 1) yield read;
  else for (const item of items) yield* readListItems([item], head);
}

function tryParse(read: () => unknown): ParsedDocument {
  try {
    return { value: read() };
  } catch (thrown) {
    return { broken: thrown instanceof Error ? thrown.name : "unreadable" };
  }
}
