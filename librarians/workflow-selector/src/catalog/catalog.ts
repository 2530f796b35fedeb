import type { Workflow } from "./workflow.js";

/** The workflows that can be proposed. The same object as long as nothing changed. */
export interface Catalog {
  /** Enabled entries, each id and version once. */
  readonly workflows: readonly Workflow[];
  /** What was refused, and what was kept although it lacks something. */
  readonly problems: readonly CatalogProblem[];
}

/** Something wrong with an entry. */
export interface CatalogProblem {
  /** `error`: the entry is not in the catalog; `warning`: it is. */
  readonly level: "error" | "warning";
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  /** Id of the entry, where it has one. */
  readonly id?: string | undefined;
  /** Path in the entry: `parameters.0.type`. Blank for the whole of it. */
  readonly key: string;
  readonly message: string;
}

/** Gives the catalog, from wherever it is kept. */
export interface CatalogStore {
  /** The catalog as it is now. Rejects when it cannot be read. */
  read(signal?: AbortSignal): Promise<Catalog>;
}

/** One line for people. */
export function describeProblem({ file, line, id, key, message }: CatalogProblem): string {
  const at = file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `;
  const name = id === undefined ? "" : `${id}: `;
  return `${at}${name}${key === "" ? "" : `${key}: `}${message}`;
}

/** Maximum number of entries that are named as refused. */
const maxRefused = 100;

/** Entries that are not in a catalog, with file and line, one line each. */
export function listRefused({ problems }: Catalog): readonly string[] {
  return problems
    .filter(({ level }) => level === "error")
    .slice(0, maxRefused)
    .map(describeProblem);
}
