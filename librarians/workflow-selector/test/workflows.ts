import type { Context } from "@constellation/core";
import type { Catalog } from "../src/catalog/catalog.js";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";

/** An entry as it would be in a file, with what the test wants otherwise. */
export function entry(id: string, more: Readonly<Record<string, unknown>> = {}) {
  return { workflow_id: id, version: "1.0.0", description: `Does ${id}.`, labels: {}, ...more };
}

/** A context of a caller that vouches for its metadata, as `observed: true` makes it. */
export function vouched(metadata: Readonly<Record<string, unknown>>) {
  return { metadata, observed: () => ({ by: "caller", at: 0 }) } satisfies Context;
}

/** A catalog of these entries. */
export function catalogOf(...entries: readonly unknown[]): Promise<Catalog> {
  return createMemoryCatalog(entries).read();
}
