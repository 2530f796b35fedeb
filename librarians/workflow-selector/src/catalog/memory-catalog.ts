import { createAssembler } from "./assemble.js";
import type { CatalogStore } from "./catalog.js";
import { readCatalogText } from "./read-catalog.js";

/**
 * Keeps a catalog in memory.
 *
 * @param entries - As they would stand in a file. A bad one is refused and listed in `problems`.
 */
export function createMemoryCatalog(entries: readonly unknown[]): CatalogStore {
  const catalog = createAssembler().assemble([readCatalogText(JSON.stringify(entries))]);
  return { read: async () => catalog };
}
