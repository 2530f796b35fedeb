import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What `@constellation/core` exports. */
export type Core = typeof import("@constellation/core");

/**
 * Loads core's built JavaScript.
 *
 * @param checkout - Root of another checkout, with its own build and dependencies. This one where
 *   not given.
 */
export async function loadCore(checkout: string | undefined): Promise<Core> {
  return (await import(coreModule(checkout))) as Core;
}

/** What to import to have core. */
export function coreModule(checkout: string | undefined): string {
  if (checkout === undefined) return import.meta.resolve("@constellation/core");
  return pathToFileURL(resolve(checkout, "packages/core/dist/index.js")).href;
}
