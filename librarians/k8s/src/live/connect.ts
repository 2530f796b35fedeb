import type { RequestOptions } from "node:https";

/** Where a cluster is, and how to authenticate. */
export interface Connection {
  /** Without user information, query and trailing slash. */
  readonly server: URL;
  /**
   * Headers, certificates and agent for a request.
   *
   * @param again - True after the cluster did not know us: credentials are then made anew.
   */
  authorize(again?: boolean): Promise<RequestOptions>;
}

/** How long credentials are used before they are asked for again, so that a plugin is not run per request. */
const freshMs = 30_000;

/**
 * Reads the kubeconfig, or the pod's service account, with the optional `@kubernetes/client-node`, which
 * is loaded here and nowhere else.
 *
 * @throws Error when the library is not installed, or the configuration names no cluster.
 */
export async function connect(options: {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}): Promise<Connection> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (options.kubeconfig === undefined) config.loadFromDefault();
  else config.loadFromFile(options.kubeconfig);
  if (options.context !== undefined) config.setCurrentContext(options.context);
  const cluster = config.getCurrentCluster();
  if (cluster === null || cluster === undefined) {
    throw new Error("The configuration names no cluster.");
  }
  const server = new URL(cluster.server);
  server.username = "";
  server.password = "";
  server.search = "";
  server.hash = "";
  let authorized: { readonly options: Promise<RequestOptions>; readonly until: number } | undefined;

  async function makeOptions(): Promise<RequestOptions> {
    const request: RequestOptions = {};
    await config.applyToHTTPSOptions(request);
    return request;
  }

  return {
    server,
    authorize(again = false) {
      if (authorized === undefined || again || Date.now() >= authorized.until) {
        authorized = { options: makeOptions(), until: Date.now() + freshMs };
        authorized.options.catch(() => {
          authorized = undefined;
        });
      }
      return authorized.options;
    },
  };
}
