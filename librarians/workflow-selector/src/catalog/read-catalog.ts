import type { CatalogProblem } from "./catalog.js";
import { readYaml, type YamlDocument } from "./read-yaml.js";
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

/** Maximum number of problems that are listed for one entry. */
const maxProblems = 20;

/**
 * Reads entries from YAML or JSON: one entry, a list, a list under `workflows` or `playbooks`, or several
 * documents of these. A bad entry is refused with line and key, and the others are kept.
 */
export function readCatalogText(text: string, file?: string): ReadCatalog {
  const { documents, problems } = readYaml(text);
  const unreadable = problems.map(
    ({ line, message }): CatalogProblem => ({ level: "error", file, line, key: "", message }),
  );
  return together([
    { entries: [], problems: unreadable },
    ...documents.map((document) => readCatalogDocument(document, file)),
  ]);
}

/** Reads the entries of one document. */
export function readCatalogDocument(document: YamlDocument, file?: string): ReadCatalog {
  const found = entriesIn(document.value);
  return together(found.map(({ value, path }) => readOne(value, path, document, file)));
}

function readOne(
  value: unknown,
  path: readonly (string | number)[],
  document: YamlDocument,
  file: string | undefined,
): ReadCatalog {
  if (value === null || value === undefined) return { entries: [], problems: [] }; // an empty document
  const findLine = (subPath: readonly PropertyKey[]) => document.lineOf([...path, ...subPath]);
  const read = readEntry(value);
  const id = readId(value);
  if ("issues" in read) {
    const problems = read.issues.slice(0, maxProblems).map(
      ({ path: key, message }): CatalogProblem => ({
        level: "error",
        file,
        line: findLine(key),
        id,
        key: key.join(".").slice(0, 255),
        message,
      }),
    );
    return { entries: [], problems };
  }
  const missing = expectedLabels.filter((label) => !Object.hasOwn(read.workflow.labels, label));
  const entries = [{ ...read, file, line: findLine([]) }];
  if (missing.length === 0) return { entries, problems: [] };
  const message = `lacks ${missing.join(", ")}: a query that names one of them does not find it`;
  const line = findLine(["labels"]);
  return { entries, problems: [{ level: "warning", file, line, id, key: "labels", message }] };
}

function together(parts: readonly ReadCatalog[]): ReadCatalog {
  return {
    entries: parts.flatMap(({ entries }) => entries),
    problems: parts.flatMap(({ problems }) => problems),
  };
}

function entriesIn(
  value: unknown,
): readonly { readonly value: unknown; readonly path: readonly (string | number)[] }[] {
  const listed = (list: readonly unknown[], ...path: readonly string[]) =>
    list.map((one, at) => ({ value: one, path: [...path, at] }));
  if (Array.isArray(value)) return listed(value);
  if (typeof value === "object" && value !== null) {
    for (const key of ["workflows", "playbooks"] as const) {
      const list: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
      if (Array.isArray(list)) return listed(list, key);
    }
  }
  return [{ value, path: [] }];
}

function readId(value: unknown): string | undefined {
  const { workflow_id, playbook_id, id } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const found = workflow_id ?? playbook_id ?? id;
  return typeof found === "string" ? found.slice(0, 255) : undefined;
}
