/**
 * Finds the reply in a text: a bare JSON object, else the first fenced one, else the first balanced object that
 * is valid JSON. An array of one object stands for the object. Nothing is repaired, and an object inside one that
 * never closes is not taken. In time in proportion to the text.
 */
export function findJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const bare = objectIn(text);
  if (bare !== undefined) return bare;
  const fenced = fencedIn(text);
  return fenced === undefined ? firstBalanced(text) : objectIn(fenced);
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof one !== "object" || one === null || Array.isArray(one)) return undefined;
  return one as Readonly<Record<string, unknown>>; // an object, as checked
}

/** The first block fenced as json, else the first fenced without a language that begins like JSON. */
function fencedIn(text: string): string | undefined {
  let unnamed: string | undefined;
  let open: { readonly language: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const language = fenceLanguage(line);
    if (language === undefined) {
      open?.lines.push(line);
    } else if (open === undefined) {
      open = { language, lines: [] };
    } else {
      const block = open.lines.join("\n");
      if (open.language === "json") return block;
      if (open.language === "" && /^\s*[{[]/.test(block)) unnamed ??= block;
      open = undefined;
    }
  }
  return unnamed;
}

/** The language of a line that opens or closes a block, in lower case and blank where none is named; undefined for other lines. */
function fenceLanguage(line: string): string | undefined {
  const mark = line.trim();
  if (!mark.startsWith("```") || line.length - line.trimStart().length > 3) return undefined;
  const language = mark.slice(3).trim();
  return /^[A-Za-z0-9]*$/.test(language) ? language.toLowerCase() : undefined;
}

/** Maximum number of balanced objects that are tried. */
const maxTries = 100;

function firstBalanced(text: string): Readonly<Record<string, unknown>> | undefined {
  let at = text.indexOf("{");
  for (let tries = 0; tries < maxTries && at !== -1; tries++) {
    const end = endOfObject(text, at);
    if (end === undefined) return undefined;
    const found = objectIn(text.slice(at, end));
    if (found !== undefined) return found;
    at = text.indexOf("{", end);
  }
  return undefined;
}

/** Behind the brace that closes the one at `start`. Braces in strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === "\\") at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
