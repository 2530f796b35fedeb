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
    if (/^\s*(?:#.*\s*)*$/.test(part.slice(0, 10_000)) && part.length <= 10_000) continue;
    // Dumps have no aliases, so few are enough; a bomb made of them fails here.
    yield tryParse(() => parse(part, { maxAliasCount: 20, logLevel: "error", schema: "core" }));
  }
}

function tryParse(read: () => unknown): ParsedDocument {
  try {
    return { value: read() };
  } catch (thrown) {
    return { broken: thrown instanceof Error ? thrown.name : "unreadable" };
  }
}
