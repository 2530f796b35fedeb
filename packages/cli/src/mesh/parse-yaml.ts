import {
  type Document,
  isCollection,
  isScalar,
  Lexer,
  type LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { ConfigurationError } from "../configuration-error.js";

/**
 * Bounds of a mesh file. `tokens` are the smallest parts of YAML: a key with its colon, space, value
 * and line end are five. Unlike bytes, they limit the time of parsing.
 */
export const meshFileLimits = {
  bytes: 1_048_576,
  tokens: 30_000,
  aliases: 100,
  /** Maximum nesting, in columns of indentation and opening brackets. The parser recurses for each level. */
  nesting: 256,
} as const;

/** The message of the parser, replaced where it names a function of the parser. */
export function describeFault(code: string, message: string): string {
  return code === "MULTIPLE_DOCS"
    ? "a mesh is one YAML document. Put the other in its own file."
    : message;
}

/** Counts tokens before parsing. */
function assertWithinLimits(text: string, shown: string): void {
  let tokens = 0;
  let aliases = 0;
  let before = "\n";
  let flows = 0;
  let onLine = 0;
  for (const token of new Lexer().lex(text)) {
    tokens++;
    if (before !== scalarMarker) {
      if (/[\n\r]$/.test(token)) onLine = 0;
      else if (/[\n\r]$/.test(before) && /^ /.test(token)) onLine = token.length;
      else if (token === "-" || token === "?") onLine++;
      else if (token === "[" || token === "{") flows++;
      else if ((token === "]" || token === "}") && flows > 0) flows--;
      if (flows + onLine > meshFileLimits.nesting && !/^[ #]/.test(token)) throw tooDeep(shown);
    }
    // A marker precedes the text of a scalar, which may begin with any character.
    if (token.startsWith("*") && before !== scalarMarker) aliases++;
    before = token;
    for (const [what, count, max] of [
      ["tokens", tokens, meshFileLimits.tokens],
      ["aliases", aliases, meshFileLimits.aliases],
    ] as const) {
      if (count <= max) continue;
      throw new ConfigurationError(
        `${shown}: has more than ${max} YAML ${what}, the maximum for a mesh file. Divide the mesh, or write it as a JavaScript module.`,
      );
    }
  }
}

const scalarMarker = "\u001f";

/** Refuses keys that are maps or lists: nested ones take unbounded time. */
export function collectionKeys({ items }: YAMLMap): readonly Node[] {
  return items.flatMap(({ key }) => (isCollection(key) ? key : []));
}

/** Finds duplicate keys of a map in linear time: the parser would compare every pair. */
export function repeatedKeys({ items }: YAMLMap): readonly Scalar[] {
  const known = new Set<unknown>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    if (known.has(key.value)) return key;
    known.add(key.value);
    return [];
  });
}

/**
 * Parses a mesh file in linear time.
 *
 * @throws ConfigurationError when it is beyond {@link meshFileLimits}. Mistakes in YAML are listed in
 *   the document's `errors` and `warnings`.
 */
export function parseYaml(text: string, lineCounter: LineCounter, shown: string): Document.Parsed {
  assertWithinLimits(text, shown);
  try {
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      uniqueKeys: false,
      version: "1.2",
    });
  } catch {
    throw tooDeep(shown);
  }
}

function tooDeep(shown: string): ConfigurationError {
  return new ConfigurationError(
    `${shown}: is nested too deep to be read. Divide the mesh, or write it as a JavaScript module.`,
  );
}
