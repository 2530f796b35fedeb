import { createAssembler } from "./assemble.js";
import type { CatalogStore } from "./catalog.js";
import { readCatalogDocument } from "./read-catalog.js";

/**
 * Keeps a catalog in memory.
 *
 * @param entries - As they would be in a file. A bad one is refused and listed in `problems`.
 */
export function createMemoryCatalog(entries: readonly unknown[]): CatalogStore {
  const value: unknown = JSON.parse(JSON.stringify(entries));
  const read = readCatalogDocument({ value, lineOf: () => undefined });
  const catalog = createAssembler().assemble([read]);
  return { read: async () => catalog };
}
