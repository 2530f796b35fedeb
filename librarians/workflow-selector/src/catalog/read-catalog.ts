import { type Document, isCollection, isMap, isSeq, LineCounter, parseAllDocuments } from "yaml";
import type { CatalogProblem } from "./catalog.js";
import type { Workflow } from "./workflow.js";
import { readEntry } from "./workflow.schema.js";

/** An entry, and where it was read. */
export interface FoundEntry {
  readonly workflow: Workflow;
  readonly isDisabled: boolean;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** What a text holds. */
export interface ReadCatalog {
  readonly entries: readonly FoundEntry[];
  readonly problems: readonly CatalogProblem[];
}

/** The labels a record should have, for filters to find it. */
const expectedLabels = [
  "signal_type",
  "severity",
  "component",
  "environment",
  "priority",
  "risk_tolerance",
  "business_category",
] as const;

/**
 * Reads entries from YAML or JSON: one entry, a list, a list under `workflows` or `playbooks`, or several
 * documents of these. A bad entry is refused with line and key, and the others are kept.
 */
export function readCatalogText(text: string, file?: string): ReadCatalog {
  const entries: FoundEntry[] = [];
  const problems: CatalogProblem[] = [];
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  for (const document of Array.isArray(documents) ? documents : []) {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = lines.linePos(error.pos[0]).line;
      problems.push({
        level: "error",
        file,
        line,
        key: "",
        message: `not readable: ${error.message}`,
      });
      continue;
    }
    const whole = dataOf(document); // once: every entry reads from it
    for (const path of entryPaths(document)) readOne(document, whole, path);
  }
  return { entries, problems };

  function readOne(document: Document, whole: unknown, path: readonly (string | number)[]): void {
    const value = valueAt(whole, path);
    if (value === null) return; // an empty document holds no entry
    const lineOf = (below: readonly PropertyKey[]) => lineAt(document, [...path, ...below], lines);
    const read = readEntry(value);
    const id = idOf(value);
    if ("issues" in read) {
      for (const { path: key, message } of read.issues) {
        problems.push({ level: "error", file, line: lineOf(key), id, key: key.join("."), message });
      }
      return;
    }
    const missing = expectedLabels.filter((label) => !Object.hasOwn(read.workflow.labels, label));
    if (missing.length > 0) {
      const message = `lacks ${missing.join(", ")}: a query that names one of them does not find it`;
      problems.push({
        level: "warning",
        file,
        line: lineOf(["labels"]),
        id,
        key: "labels",
        message,
      });
    }
    entries.push({ ...read, file, line: lineOf([]) });
  }
}

function entryPaths(document: Document): readonly (readonly (string | number)[])[] {
  const { contents } = document;
  if (isSeq(contents)) return contents.items.map((_, at) => [at]);
  if (!isMap(contents)) return [[]];
  for (const key of ["workflows", "playbooks"]) {
    const list = contents.get(key, true);
    if (isSeq(list)) return list.items.map((_, at) => [key, at]);
  }
  return [[]];
}

const unresolved = "an alias that cannot be resolved";

function dataOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return unresolved;
  }
}

/** @param path - A path of the same document. */
function valueAt(whole: unknown, path: readonly (string | number)[]): unknown {
  if (whole === unresolved) return unresolved;
  let value = whole;
  for (const key of path) value = (value as Readonly<Record<string | number, unknown>>)[key];
  return value;
}

/** The line of the deepest part of the path that is there. */
function lineAt(document: Document, path: readonly PropertyKey[], lines: LineCounter) {
  let node: unknown = document.contents;
  let line = lineOfNode(node, lines);
  for (const key of path) {
    if (!isCollection(node)) break;
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === String(key));
      if (pair === undefined) break;
      line = lineOfNode(pair.key, lines) ?? line;
      node = pair.value;
    } else {
      node = node.get(key, true);
      line = lineOfNode(node, lines) ?? line;
    }
  }
  return line;
}

function lineOfNode(node: unknown, lines: LineCounter): number | undefined {
  const { range } = (node ?? {}) as { readonly range?: readonly [number, number, number] | null }; // every node of yaml has it
  return range == null ? undefined : lines.linePos(range[0]).line;
}

function idOf(value: unknown): string | undefined {
  const { workflow_id, playbook_id, id } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const found = workflow_id ?? playbook_id ?? id;
  return typeof found === "string" ? found.slice(0, 255) : undefined;
}
