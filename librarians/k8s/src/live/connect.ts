import type { RequestOptions } from "node:https";

/** Where a cluster is, and how to authenticate. */
export interface Connection {
  /** Without user information, query and trailing slash. */
  readonly server: URL;
  /** Namespace of the context, or of the pod that this runs in. */
  readonly namespace: string | undefined;
  /**
   * Headers, certificates and agent for a request.
   *
   * @param again - True after the cluster rejected the credentials; they are then renewed.
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
  readonly serviceAccountRoot?: string | undefined;
}): Promise<Connection> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const load = () => {
    const loaded = new KubeConfig();
    if (options.serviceAccountRoot !== undefined)
      loaded.loadFromCluster(options.serviceAccountRoot.replace(/\/$/, ""));
    else if (options.kubeconfig === undefined) loaded.loadFromDefault();
    else loaded.loadFromFile(options.kubeconfig);
    if (options.context !== undefined) loaded.setCurrentContext(options.context);
    return loaded;
  };
  let config = load();
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

  async function makeOptions(again: boolean): Promise<RequestOptions> {
    // A token that was rotated is in its file, and not yet in what was loaded from there.
    if (again) config = load();
    const request: RequestOptions = {};
    await config.applyToHTTPSOptions(request);
    return request;
  }

  return {
    server,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace?.trim() || undefined,
    authorize(again = false) {
      if (authorized === undefined || again || Date.now() >= authorized.until) {
        authorized = { options: makeOptions(again), until: Date.now() + freshMs };
        authorized.options.catch(() => {
          authorized = undefined;
        });
      }
      return authorized.options;
    },
  };
}
