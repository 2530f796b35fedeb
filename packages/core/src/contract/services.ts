import type { AITool } from "./ai-client.js";
import type { Response } from "./response.js";
import type { User } from "./user.js";

/** What a librarian offers beside its answers, where its mesh is served to others. */
export interface LibrarianServices {
  /**
   * Tools that read: an MCP server of the mesh has them beside its own. Each takes an object. A name is
   * served once; of librarians that use the same name only one may offer it.
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

/** The mesh a handler serves, as far as it needs it. */
export interface ServiceHost {
  /** Id under which the librarian is registered. */
  readonly id: string;
  /** Asks the mesh; as `start` of a router. */
  start(
    query: string,
    options?: { readonly to?: string | undefined; readonly user?: User | undefined },
  ): { readonly id: string; readonly response: Promise<Response> };
}
