import type { TransportTimes } from "../settings.js";

/**
 * Options for {@link createHttpTransport}.
 *
 * @beta
 */
export interface HttpTransportOptions extends TransportTimes {
  /**
   * Addresses of other processes, such as `http://10.0.0.5:7000`: those that listen. This process's own
   * may be among them, so that all can have the same list. At most 100.
   *
   * @default []
   */
  readonly peers?: readonly string[] | undefined;
  /**
   * Where this process listens for others. Without it, the process only connects to its peers, and serves and
   * calls over those connections. A host other than this machine needs a `token`.
   */
  readonly listen?: HttpListen | undefined;
  /**
   * Secret that each process must send to the one it connects to, 16 characters or more. A process that has it may
   * use any caller name. Without a token, requests must be for `127.0.0.1`, `[::1]` or `localhost`.
   */
  readonly token?: string | undefined;
  /** Files for TLS, as paths. */
  readonly tls?: HttpTls | undefined;
  /**
   * Name of the mesh: processes of another name are refused. 1 to 64 of the characters `A-Z`, `a-z`,
   * `0-9`, `_` and `-`.
   *
   * @default "constellation"
   */
  readonly mesh?: string | undefined;
  /**
   * Name of this process for the processes it calls, which `trustedPeers` may list. The same characters as `mesh`.
   *
   * @default "any"
   */
  readonly caller?: string | undefined;
}

/**
 * Where a process listens.
 *
 * @beta
 */
export interface HttpListen {
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /**
   * 0 to 65535. 0 selects a free port.
   *
   * @default 0
   */
  readonly port?: number | undefined;
}

/**
 * Files for TLS.
 *
 * @beta
 */
export interface HttpTls {
  /** Server certificate of this process, and its key. With them it listens for `https:`. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Certificate authorities of the peers' certificates. Default: those of the system. */
  readonly caFile?: string | undefined;
}

/** The options of a link, checked. */
export type HttpLinkOptions = Pick<HttpTransportOptions, "peers" | "listen" | "token" | "tls"> & {
  readonly mesh: string;
};

/** The path of every request of a link. */
export const linkPath = "/constellation/link";

/** Headers of every request of a link: the mesh, and a random id of the process. */
export const headerNames = { mesh: "constellation-mesh", node: "constellation-node" } as const;

/** Maximum size of one request's body, in bytes. */
export const maxPostBytes = 8_388_608;

/** Maximum size of the send queue of one peer, in bytes. A slower peer is disconnected. */
export const maxWaitingBytes = 134_217_728;

/** Whether a host of an address or of a `Host` header, without port, is this machine. */
export function isOwnMachine(host: string): boolean {
  return ["127.0.0.1", "::1", "[::1]", "localhost"].includes(host.toLowerCase());
}
