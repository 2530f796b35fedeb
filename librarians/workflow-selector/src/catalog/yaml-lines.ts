import { EVENT_ID, type Event, getScalarValue, YAMLException } from "js-yaml";

/** A value of a YAML text, and where it stands. */
export interface LocatedNode {
  /** Offset in the text; undefined for a value that is not written, as after `key:`. */
  readonly start: number | undefined;
  readonly items?: LocatedNode[];
  readonly fields?: Map<string, { readonly start: number | undefined; readonly node: LocatedNode }>;
  /** Number of values in it, itself included, with every alias replaced by what it refers to. */
  size: number;
}

interface OpenNode extends LocatedNode {
  /** The key whose value comes next. */
  key?: { readonly name: string; readonly start: number | undefined } | undefined;
  readonly anchor: string;
}

/** Also of an alias inside what it refers to: such a value has no end. */
const unknownAlias = "an alias of something that is not complete before it";

/**
 * Locates the values of each document of a text.
 *
 * @throws YAMLException when a document holds more than `maxSize` values once its aliases are replaced.
 */
export function locateNodes(
  events: readonly Event[],
  text: string,
  maxSize: number,
): readonly (LocatedNode | undefined)[] {
  const roots: (LocatedNode | undefined)[] = [];
  let anchors = new Map<string, LocatedNode>();
  let open: OpenNode[] = [];
  const attach = (node: LocatedNode, scalar?: string) => {
    const parent = open.at(-1);
    if (parent === undefined) roots[roots.length - 1] = node;
    else if (parent.items !== undefined) parent.items.push(node);
    else if (parent.key === undefined) parent.key = { name: scalar ?? "", start: node.start };
    else {
      parent.fields?.set(parent.key.name, { start: parent.key.start, node });
      parent.key = undefined;
    }
    if (parent !== undefined) parent.size += node.size;
    if ((parent?.size ?? node.size) > maxSize) {
      throw new YAMLException(`more than ${maxSize} values once its aliases are replaced`);
    }
  };
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) {
      roots.push(undefined);
      anchors = new Map();
      open = [];
      continue;
    }
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (closed === undefined) continue; // the end of the document
      if (closed.anchor !== "") anchors.set(closed.anchor, closed);
      attach(closed);
      continue;
    }
    const anchor = event.anchorStart < 0 ? "" : text.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.ALIAS) {
      const target = anchors.get(anchor);
      if (target === undefined) YAMLException.throwAt(text, event.anchorStart, unknownAlias);
      attach({ start: event.anchorStart, size: target.size });
    } else if (event.type === EVENT_ID.SCALAR) {
      const node = { start: event.valueStart < 0 ? undefined : event.valueStart, size: 1 };
      if (anchor !== "") anchors.set(anchor, node);
      attach(node, getScalarValue(text, event));
    } else {
      const { start } = event;
      open.push(
        event.type === EVENT_ID.SEQUENCE
          ? { start, size: 1, anchor, items: [] }
          : { start, size: 1, anchor, fields: new Map() },
      );
    }
  }
  return roots;
}

/** Gives the line, from 1, of the deepest part of a path that is there. */
export type FindLine = (
  node: LocatedNode | undefined,
  path: readonly PropertyKey[],
) => number | undefined;

/** @param linesBefore - Lines of the file above the text. */
export function createLineFinder(text: string, linesBefore: number): FindLine {
  const starts: number[] = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (root, path) => {
    let node = root;
    let start = node?.start;
    for (const key of path) {
      const field = node?.fields?.get(String(key));
      node = field === undefined ? node?.items?.[Number(key)] : field.node;
      if (node === undefined) break;
      start = field?.start ?? node.start ?? start;
    }
    return start === undefined ? undefined : linesBefore + countUpTo(starts, start);
  };
}

/** How many of the ascending numbers are not above a limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
