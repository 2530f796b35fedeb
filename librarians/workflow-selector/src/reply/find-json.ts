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
    const [, language] = /^\s{0,3}```\s*([A-Za-z0-9]*)\s*$/.exec(line) ?? [];
    if (language === undefined) {
      open?.lines.push(line);
    } else if (open === undefined) {
      open = { language: language.toLowerCase(), lines: [] };
    } else {
      const block = open.lines.join("\n");
      if (open.language === "json") return block;
      if (open.language === "" && /^\s*[{[]/.test(block)) unnamed ??= block;
      open = undefined;
    }
  }
  return unnamed;
}

function firstBalanced(text: string): Readonly<Record<string, unknown>> | undefined {
  for (let at = text.indexOf("{"); at !== -1; ) {
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
