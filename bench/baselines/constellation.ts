import type { Router, RouterOptions } from "@constellation/core";
import type { Core } from "../core.js";
import { meshVariant } from "./mesh-variant.js";
import type { Mesh, Variant } from "./variant.js";

/** Every rule is on; limits are as high as the scenarios need. */
export const raisedLimits = {
  maxDepth: 100,
  maxHops: 1_000_000,
  maxFanout: 10_000,
  fanoutConcurrency: 10_000,
} as const satisfies RouterOptions;

export interface ConstellationOptions {
  /** Added to the raised limits. */
  readonly router?: RouterOptions | undefined;
  /** Called with each router made, before it is asked. */
  readonly prepare?: ((router: Router) => void) | undefined;
  /** Asks with `start`, which keeps the record of a run, instead of `ask`. */
  readonly keepsRecord?: boolean | undefined;
}

/** The router itself. */
export function constellation(
  core: Core,
  name = "constellation",
  options: ConstellationOptions = {},
): Variant {
  return meshVariant(name, () => createMesh(core, options));
}

function createMesh(core: Core, { router: own, prepare, keepsRecord }: ConstellationOptions): Mesh {
  const router = core.createRouter({ ...raisedLimits, ...own });
  prepare?.(router);
  return {
    add: (id, librarian) =>
      router.register({ id, description: "a librarian of a benchmark", librarian }),
    ask:
      keepsRecord === true
        ? (to, query, signal) => router.start(query, { to, signal }).response
        : (to, query, signal) => router.ask(query, { to, signal }),
  };
}
