/** Maximum length of a key that is compared with a path, in characters. */
const maxKeyLength = 200;
/** Maximum depth that is followed: beyond it, nothing is found. */
const maxDepth = 64;
/** Maximum length of an object that text is made of at its end, in characters. */
const maxItemLength = 64_000;

/** Reads text of a JSON document that arrives in pieces. */
export interface JsonTextReader {
  /** @returns The characters of the text in this piece, as far as they are complete. */
  read(piece: string): string;
}

/** How the texts of a list are read. */
export interface JsonTextOptions {
  /** Reads every text at the path, not only the first, and separates them by this. */
  readonly separator?: string | undefined;
  /** Text that follows a text, made of the object which holds it once that is whole. */
  readonly afterItem?: ((item: unknown) => string) | undefined;
}

interface Frame {
  readonly isArray: boolean;
  key: string;
  expects: "key" | "value";
}

/**
 * Creates a reader for the first text at a path of keys; arrays on the way are searched too. Text before the first
 * brace is skipped: prose, or the mark of a code block. Invalid JSON yields no text or wrong text, so treat the
 * result as a draft.
 */
export function createJsonTextReader(
  path: readonly string[],
  { separator, afterItem }: JsonTextOptions = {},
): JsonTextReader {
  const stack: Frame[] = [];
  let item: { json: string; readonly depth: number } | undefined;
  let isInString = false;
  let isWanted = false;
  let hasText = false;
  let isDone = false;
  let escaped: string | undefined;
  let highSurrogate = "";
  let found = "";

  const isAt = (place: readonly string[]) => {
    const keys = stack.filter(({ isArray }) => !isArray).map(({ key }) => key);
    return keys.length === place.length && keys.every((key, index) => key === place[index]);
  };

  function endItem(): void {
    if (item === undefined || stack.length > item.depth) return;
    if (item.json.length <= maxItemLength) found += afterItem?.(parsed(item.json)) ?? "";
    item = undefined;
  }

  function character(text: string): void {
    const frame = stack.at(-1);
    if (frame?.expects === "key") {
      if (frame.key.length < maxKeyLength) frame.key += text;
    } else if (isWanted) found += text;
  }

  function unit(code: number): void {
    const text = String.fromCharCode(code);
    if (code >= 0xd800 && code <= 0xdbff) highSurrogate = text;
    else {
      character(highSurrogate + text);
      highSurrogate = "";
    }
  }

  function inString(each: string): void {
    if (escaped !== undefined) {
      escaped += each;
      if (escaped[0] === "u" && escaped.length < 5) return;
      if (escaped[0] === "u") unit(Number.parseInt(escaped.slice(1), 16) || 0xfffd);
      else character(escapes[escaped] ?? escaped);
      escaped = undefined;
    } else if (each === "\\") escaped = "";
    else if (each === '"') {
      isInString = false;
      if (isWanted && separator === undefined) isDone = true;
      hasText ||= isWanted;
    } else character(each);
  }

  function outside(each: string): void {
    const frame = stack.at(-1);
    if (each === "{" || (each === "[" && frame !== undefined)) {
      if (stack.length >= maxDepth) isDone = true;
      if (afterItem !== undefined && each === "{" && isAt(path.slice(0, -1))) {
        item = { json: each, depth: stack.length };
      }
      stack.push({ isArray: each === "[", key: "", expects: each === "[" ? "value" : "key" });
    } else if (frame === undefined) return;
    else if (each === "}" || each === "]") {
      stack.pop();
      endItem();
    } else if (each === ":") frame.expects = "value";
    else if (each === "," && !frame.isArray) {
      frame.expects = "key";
      frame.key = "";
    } else if (each === '"') {
      isInString = true;
      isWanted = frame.expects === "value" && isAt(path);
      if (isWanted && hasText) found += separator;
    }
  }

  return {
    read(piece) {
      found = "";
      for (const each of piece) {
        if (isDone) break;
        if (item !== undefined && item.json.length <= maxItemLength) item.json += each;
        if (isInString) inString(each);
        else outside(each);
      }
      return found;
    },
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
};
