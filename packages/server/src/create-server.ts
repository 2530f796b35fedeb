import { describeValue } from "@constellation/authoring";
import type { Router } from "@constellation/core";
import { createApplication } from "./application.js";
import { isLoopback } from "./auth/auth-options.js";
import { createListener } from "./http/listener.js";
import type { ServerOptions } from "./options.js";
import { parseServerOptions, type ServerSettings } from "./settings.js";

/** A router, served over HTTP. */
export interface MeshServer {
  /**
   * Starts to accept requests.
   *
   * @throws RangeError for a host other than loopback without `auth`, unless `allowAnonymous` is true.
   * @throws Error of Node.js, such as `EADDRINUSE`.
   */
  listen(options?: ListenOptions): Promise<ServerAddress>;
  /**
   * Refuses new requests, lets runs end within `limits.drainMs`, cancels the rest, and closes every
   * connection. The router stays open: close it afterwards. Never rejects.
   */
  close(): Promise<void>;
}

/** Address to listen on. */
export interface ListenOptions {
  /**
   * Name or address to listen on.
   *
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /**
   * Port, 0 to 65535; 0 chooses a free one.
   *
   * @default 0
   */
  readonly port?: number | undefined;
}

/** Address that a server listens on. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
}

/**
 * Creates a server for a router. It listens once `listen` is called.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export async function createServer(
  router: Router,
  options: ServerOptions = {},
): Promise<MeshServer> {
  const settings = parseServerOptions(options);
  const application = await createApplication(router, settings);
  const listener = createListener(application.handle, application.connections, settings.limits);
  let closing: Promise<void> | undefined;

  return {
    async listen({ host = "127.0.0.1", port = 0 } = {}) {
      requireAddress(host, port);
      assertAuthForPublicHost(host, settings);
      const actual = await listener.listen(host, port);
      const name = host.includes(":") ? `[${host}]` : host;
      return { host, port: actual, url: `http://${name}:${actual}` };
    },
    close() {
      closing ??= application.close(listener.close);
      return closing;
    },
  };
}

function requireAddress(host: unknown, port: unknown): void {
  if (typeof host !== "string" || host === "") {
    throw new TypeError(`host: expected a name or an address, got ${describeValue(host)}.`);
  }
  if (typeof port !== "number" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`port: expected an integer from 0 to 65535, got ${describeValue(port)}.`);
  }
}

function assertAuthForPublicHost(
  host: string,
  { auth, allowAnonymous, debug }: ServerSettings,
): void {
  if (isLoopback(host)) return;
  if (debug) {
    throw new RangeError(
      `host: ${describeValue(host)} can be reached from outside, and \`debug\` shows stacks. Leave \`debug\` out, or listen on 127.0.0.1.`,
    );
  }
  if (auth !== undefined || allowAnonymous) return;
  throw new RangeError(
    `host: ${describeValue(host)} can be reached from outside without authentication. Pass \`auth\`, or set \`allowAnonymous: true\`.`,
  );
}
