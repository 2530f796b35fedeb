import type { AITool } from "./ai-client.js";
import type { CanAnswer } from "./answer-estimate.js";
import type { MeshLibrarian } from "./librarian.js";
import type { LibrarianInfo } from "./librarian-info.js";
import type { CacheOptions, HedgeOptions, ResilienceOptions } from "./resilience.js";
import type { Response } from "./response.js";
import type { Allow, User } from "./user.js";

/**
 * A librarian and its description. `id`, `description` and `librarian` are enough.
 *
 * @typeParam Called - `Librarian` where its `librarian` can also be called by itself, as that of a package.
 */
export interface LibrarianDefinition<Called extends MeshLibrarian = MeshLibrarian>
  extends LibrarianInfo,
    ResilienceOptions {
  readonly description: string;
  readonly librarian: Called;
  /**
   * Who may ask it: `(user) => boolean`, or `{ users, teams, roles }`. For all others a call is `UNAUTHORIZED`, and
   * lists leave it out. A rule also holds for the user of each
   * librarian above it on the path.
   *
   * @default any user, and a query without one
   */
  readonly allow?: Allow | undefined;
  /**
   * Maximum time for one call, in milliseconds: 1 to 2147483647, or `Infinity`. Limited by what remains of the run,
   * minus a reserve.
   *
   * @default Infinity
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of its calls at once, in all runs of the router. Integer, 1 or more, or `Infinity`.
   * A call that waits in `context.ask` does not count.
   *
   * @default Infinity
   */
  readonly concurrency?: number | undefined;
  /**
   * Lowers `concurrency` while it answers `RATE_LIMITED`, and raises it again as calls succeed.
   *
   * @default false
   */
  readonly adaptiveConcurrency?: boolean | undefined;
  /** Calls it a second time when it is slow. `true`: with the defaults. Default: off. */
  readonly hedge?: HedgeOptions | boolean | undefined;
  /**
   * Ids of librarians that are asked instead, in this order, when it fails or cannot be called. One
   * that changes something is not replaced after it was called.
   */
  readonly fallback?: readonly string[] | undefined;
  /** Caches its answers. Default: off. */
  readonly cache?: CacheOptions | undefined;
  /** Estimates how well it could answer, for librarians that choose a delegate. Default: unknown. */
  readonly canAnswer?: CanAnswer | undefined;
  /** What it offers beside its answers, such as routes of a server. Default: nothing. */
  readonly services?: LibrarianServices | undefined;
  /**
   * Opens what the librarian needs. Called once, by `router.open()` or before the first hop.
   * Rejecting makes that hop `SERVICE_UNAVAILABLE`; the next hop tries again.
   */
  readonly start?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Releases what `start` opened. Called once, by `router.close()` or `unregister`, if it was started. */
  readonly close?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Reports whether it could answer now. Rejecting means `down`. `serve` waits for it before it listens, so
   * a librarian that reads much data does it here.
   */
  readonly health?: ((signal: AbortSignal, mesh?: MeshAtHealth) => Promise<Health>) | undefined;
}

/** What a health check can read of the mesh. */
export interface MeshAtHealth {
  /** The librarians that are registered now, itself included; frozen, as in `context.availableDelegates`. */
  readonly librarians: readonly LibrarianInfo[];
  /** Epoch milliseconds at which the check ends and the librarian counts as `down`. `Infinity` means no limit. */
  readonly deadline?: number | undefined;
}

/** Whether a librarian could answer now. */
export interface Health {
  /** `up`, `degraded` (answers, but not with everything) or `down`. */
  readonly status: "up" | "degraded" | "down";
  /** The reason, for display. No secrets. */
  readonly message?: string | undefined;
}

/** What a librarian offers beside its answers, where its mesh is served to others. */
export interface LibrarianServices {
  /**
   * Tools that read: an MCP server of the mesh has them beside its own. Each takes an object. Each name must be
   * unique in the mesh.
   */
  readonly tools?: readonly AITool[] | undefined;
  /**
   * Handlers of HTTP requests, by the path they serve with everything below it: `/workflows`. A server
   * makes each once, and calls it for users who may ask the librarian.
   */
  readonly routes?: Readonly<Record<string, (host: ServiceHost) => RouteHandler>> | undefined;
}

/** Answers requests below a path. Its signal aborts when the client leaves. */
export type RouteHandler = (
  request: globalThis.Request,
  info: { readonly user?: User | undefined },
) => Promise<globalThis.Response>;

/** The part of a router that a handler needs. */
export interface ServiceHost {
  /** Id under which the librarian is registered. */
  readonly id: string;
  /** Asks the mesh; as `start` of a router. */
  start(
    query: string,
    options?: { readonly to?: string | undefined; readonly user?: User | undefined },
  ): { readonly id: string; readonly response: Promise<Response> };
}
