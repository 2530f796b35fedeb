import type { User } from "@constellation/core";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Information about a request from the caller of the handler. */
export interface RequestInfo {
  /** The user, authenticated: every librarian gets it. A session belongs to the user who began it. */
  readonly user?: User | undefined;
  /**
   * Whether the metadata that a calling mesh sends counts as observed, and not as a claim: its sender is a
   * system that is trusted with that.
   *
   * @default false
   */
  readonly observed?: boolean | undefined;
  /**
   * Called with work of a tool that continues after the response. `@constellation/server` passes it to count such
   * work.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

/** The user the transport authenticated: what {@link authInfoFor} put there. */
export function readUser(context: ServerContext): User | undefined {
  return readRequest(context).user;
}

/** The same, from the data of the transport. */
export function userOfAuth(
  authInfo: { readonly extra?: Record<string, unknown> } | undefined,
): User | undefined {
  return authInfo?.extra?.user as User | undefined; // only `authInfoFor` writes it
}

/** What the caller of the handler knows about a request, where the transport carries it. */
export function readRequest({ http }: ServerContext): RequestInfo {
  return (http?.authInfo?.extra ?? {}) as RequestInfo; // only `authInfoFor` writes it
}

/** Carries what is known about a request through the SDK to the tools. No token: the caller has checked it. */
export function authInfoFor(info: RequestInfo) {
  return { token: "", clientId: info.user?.id ?? "", scopes: [], extra: { ...info } };
}
