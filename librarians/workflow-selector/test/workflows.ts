import type { Catalog } from "../src/catalog/catalog.js";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";

/** An entry as it would be in a file, with what the test wants otherwise. */
export function entry(id: string, more: Readonly<Record<string, unknown>> = {}) {
  return { workflow_id: id, version: "1.0.0", description: `Does ${id}.`, labels: {}, ...more };
}

/** A catalog of these entries. */
export function catalogOf(...entries: readonly unknown[]): Promise<Catalog> {
  return createMemoryCatalog(entries).read();
}
