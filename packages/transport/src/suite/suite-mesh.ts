import type { Librarian, RouterOptions } from "@constellation/core";
import { createRouter, type Router } from "@constellation/core";
import { expect } from "vitest";
import { type ServeLibrariansOptions, serveLibrarians } from "../serve-librarians.js";
import type { Transport } from "../transport.js";

/**
 * One process of a mesh, as the suite starts it.
 *
 * @beta
 */
export interface TransportProcess {
  readonly transport: Transport;
  /** Ends it as a crash would: without sending anything more, not even its departure. */
  crash(): Promise<void>;
}

/**
 * What {@link testTransport} needs.
 *
 * @beta
 */
export interface TransportSuiteOptions {
  /**
   * Starts a process of the mesh that this test uses, with a heartbeat of 50 ms, loss after 300 ms and
   * presence every 100 ms. All of one test share their mesh, those of different tests do not.
   *
   * @param mesh - Name of the mesh.
   */
  readonly start: (mesh: string) => Promise<TransportProcess>;
}

/** The mesh of one test. */
export interface SuiteMesh {
  readonly name: string;
  /** Starts a process that serves librarians by id, and asks others. */
  start(
    librarians: Readonly<Record<string, Librarian>>,
    options?: RouterOptions,
    serving?: ServeLibrariansOptions & { readonly effects?: "read" | "write" },
  ): Promise<{ readonly router: Router; readonly process: TransportProcess }>;
  /** Ends every process. The next test has another mesh. */
  end(): Promise<void>;
}

/** Maximum time for a process to end, in milliseconds: some librarians of the suite never do. */
const closeMs = 500;

export function createSuiteMesh({ start }: TransportSuiteOptions): SuiteMesh {
  const routers: Router[] = [];
  let meshes = 0;
  let name = "";
  return {
    get name() {
      return name;
    },
    async start(librarians, options = {}, { effects = "read", ...serving } = {}) {
      name ||= `mesh-${++meshes}-${Math.random().toString(36).slice(2, 10)}`;
      const process = await start(name);
      const router = createRouter({ ...options, transport: process.transport });
      for (const [id, librarian] of Object.entries(librarians)) {
        router.register({ id, description: `answers as ${id}`, librarian, effects });
      }
      serveLibrarians(router, process.transport, {
        librarians: Object.keys(librarians),
        ...serving,
      });
      routers.push(router);
      await router.open();
      return { router, process };
    },
    async end() {
      for (const router of routers.splice(0).toReversed())
        await router.close({ timeoutMs: closeMs });
      name = "";
    },
  };
}

/** Waits until a router knows a librarian. */
export async function untilPresent(router: Router, id: string): Promise<void> {
  await expect
    .poll(() => router.list().some((librarian) => librarian.id === id), { timeout: 20_000 })
    .toBe(true);
}
