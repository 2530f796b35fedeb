import { constructFromEvents, parseEvents, YAMLException } from "js-yaml";
import { createLineFinder, locateNodes } from "./yaml-lines.js";

/** One document of a YAML text. */
export interface YamlDocument {
  readonly value: unknown;
  /** Line, from 1, of the deepest part of the path that is there. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/** What a YAML text holds. A document that is not readable leaves the others as they are. */
export interface ReadYaml {
  readonly documents: readonly YamlDocument[];
  readonly problems: readonly { readonly line: number | undefined; readonly message: string }[];
}

/** Maximum number of aliases (`*name`) in one document. */
const maxAliases = 100;
/** Maximum nesting of lists and mappings. */
const maxDepth = 64;
/** Maximum number of values in one text: as written, and with every alias replaced by what it refers to. */
const maxValues = 250_000;

/**
 * Reads YAML or JSON text in time proportional to its length: the number of values, the nesting and the aliases are
 * bounded before anything is built from them.
 */
export function readYaml(text: string): ReadYaml {
  if (!isWithin(text)) return { documents: [], problems: [tooMany] };
  try {
    return { documents: documentsIn(text), problems: [] };
  } catch (thrown) {
    const parts = splitDocuments(text);
    return parts.length === 1
      ? { documents: [], problems: [describeYamlError(thrown, 0)] }
      : together(parts.map(readPart));
  }
}

const tooMany = {
  line: undefined,
  message: `holds more than ${maxValues} values; split it into several files`,
} as const;

/** Counts where a value can begin: never fewer than there are values. */
function isWithin(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (begins.has(text.charCodeAt(at)) && ++count > maxValues) return false;
  }
  return true;
}

const begins = new Set([..."\n\r,:[{-?"].map((character) => character.charCodeAt(0)));

function documentsIn(text: string, linesBefore = 0): readonly YamlDocument[] {
  const events = parseEvents(text, { maxDepth });
  const nodes = locateNodes(events, text, maxValues);
  const values = constructFromEvents(events, { source: text, maxAliases });
  const findLine = createLineFinder(text, linesBefore);
  return values.map((value, at) => ({ value, lineOf: (path) => findLine(nodes[at], path) }));
}

interface Part {
  readonly text: string;
  readonly linesBefore: number;
}

/** A text at the marks between its documents: `---` at the beginning of a line is nothing else in YAML. */
function splitDocuments(text: string): readonly Part[] {
  const parts: Part[] = [];
  let linesBefore = 0;
  for (const part of text.split(/^(?=---(?:\s|$))/m)) {
    parts.push({ text: part, linesBefore });
    linesBefore += part.split("\n").length - 1;
  }
  return parts;
}

function readPart({ text, linesBefore }: Part): ReadYaml {
  try {
    return { documents: documentsIn(text, linesBefore), problems: [] };
  } catch (thrown) {
    return { documents: [], problems: [describeYamlError(thrown, linesBefore)] };
  }
}

function together(parts: readonly ReadYaml[]): ReadYaml {
  return {
    documents: parts.flatMap(({ documents }) => documents),
    problems: parts.flatMap(({ problems }) => problems),
  };
}

function describeYamlError(thrown: unknown, linesBefore: number) {
  if (thrown instanceof YAMLException) {
    const line = thrown.mark === undefined ? undefined : thrown.mark.line + 1 + linesBefore;
    return { line, message: `not readable: ${thrown.reason}` };
  }
  return { line: undefined, message: "not readable" };
}
