/**
 * Finds the JSON object in a model's reply: the whole text, else the first block fenced as JSON, else
 * the first balanced object. Thoughts (`<think>...</think>`) are skipped. An array with one object counts as that
 * object. Invalid JSON is not repaired, and an object inside an unclosed one is not used. Linear in the length of the
 * text.
 *
 * @returns `undefined` where there is none.
 *
 * @beta
 */
export function readJsonReply(text: string): Readonly<Record<string, unknown>> | undefined {
  const reply = withoutThoughts(text);
  const whole = objectIn(reply);
  if (whole !== undefined) return whole;
  for (const block of fencedBlocks(reply)) {
    const found = objectIn(block);
    if (found !== undefined) return found;
  }
  return firstBalanced(reply);
}

/** The text without its thoughts. Text after an unclosed tag is dropped. */
function withoutThoughts(text: string): string {
  const tag = /<(\/?)(?:think|thinking|reasoning)>/gi;
  let kept = "";
  let from = 0;
  let isThought = false;
  for (const match of text.matchAll(tag)) {
    const isEnd = match[1] === "/";
    // Templates that put the opening tag into the prompt leave only the closing one in the reply.
    if (isEnd && !isThought && kept.trim() === "") from = match.index + match[0].length;
    else if (isEnd && isThought) {
      from = match.index + match[0].length;
      isThought = false;
    } else if (!isEnd && !isThought) {
      // Inside JSON the tag is data.
      if (text.slice(from, match.index).includes("{")) break;
      kept += text.slice(from, match.index);
      isThought = true;
    }
  }
  return isThought ? kept : kept + text.slice(from);
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

/** Blocks fenced as json, then those without a language that begin like JSON. */
function fencedBlocks(text: string): readonly string[] {
  const named: string[] = [];
  const unnamed: string[] = [];
  let open: { readonly language: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const [, language] = /^\s{0,3}```[ \t]{0,3}([A-Za-z0-9]{0,20})\s{0,20}$/.exec(line) ?? [];
    if (language === undefined) {
      open?.lines.push(line);
    } else if (open === undefined) {
      open = { language: language.toLowerCase(), lines: [] };
    } else {
      const block = open.lines.join("\n");
      if (open.language === "json") named.push(block);
      else if (open.language === "" && /^\s*[{[]/.test(block)) unnamed.push(block);
      open = undefined;
    }
  }
  // A fence that the end of the reply left open.
  if (open !== undefined) unnamed.push(open.lines.join("\n"));
  return [...named, ...unnamed];
}

/** Maximum number of balanced objects that are read to find one that is JSON. */
const maxTries = 1_000;

function firstBalanced(text: string): Readonly<Record<string, unknown>> | undefined {
  let tries = 0;
  for (let at = text.indexOf("{"); at !== -1; ) {
    const end = endOfObject(text, at);
    if (end === undefined || ++tries > maxTries) return undefined;
    const found = objectIn(text.slice(at, end));
    if (found !== undefined) return found;
    at = text.indexOf("{", end);
  }
  return undefined;
}

/** Position after the brace that closes the one at `start`. Braces in strings do not count. */
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
