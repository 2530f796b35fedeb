import { createHash } from "node:crypto";
import type { Catalog, CatalogProblem } from "./catalog.js";
import type { FoundEntry, ReadCatalog } from "./read-catalog.js";
import type { Workflow } from "./workflow.js";

/** Makes catalogs, and remembers every version it has seen. */
export interface Assembler {
  assemble(parts: readonly ReadCatalog[]): Catalog;
}

/** Versions are immutable: one that comes back with another content is refused, and the first one stays. */
export function createAssembler(): Assembler {
  const seen = new Map<string, { readonly hash: string; readonly workflow: Workflow }>();
  return {
    assemble(parts) {
      const problems: CatalogProblem[] = parts.flatMap((part) => part.problems);
      const workflows = new Map<string, Workflow>();
      const listed = new Set<string>();
      for (const entry of parts.flatMap((part) => part.entries)) {
        const { id, version } = entry.workflow;
        const name = JSON.stringify([id, version]);
        if (listed.has(name)) {
          problems.push(
            toVersionProblem(entry, `version ${version} is there twice; the first one counts`),
          );
          continue;
        }
        listed.add(name);
        const hash = hashWorkflow(entry.workflow);
        const known = seen.get(name) ?? { hash, workflow: entry.workflow };
        seen.set(name, known);
        if (known.hash !== hash) {
          const message = `version ${version} was changed; it stays as it was first read, a change needs a new version`;
          problems.push(toVersionProblem(entry, message));
        }
        if (!entry.isDisabled) workflows.set(name, known.workflow);
      }
      return { workflows: [...workflows.values()], problems };
    },
  };
}

function toVersionProblem({ workflow, file, line }: FoundEntry, message: string): CatalogProblem {
  return { level: "error", file, line, id: workflow.id, key: "version", message };
}

function hashWorkflow(workflow: Workflow): string {
  return createHash("sha256").update(JSON.stringify(workflow)).digest("base64");
}
