import type { TransportTimes } from "../settings.js";

/** Options for {@link createHttpTransport}. */
export interface HttpTransportOptions extends TransportTimes {
  /**
   * Addresses of other processes, such as `http://10.0.0.5:7000`: those that listen. This process's own
   * may be among them, so that all can have the same list. At most 100.
   *
   * @default []
   */
  readonly peers?: readonly string[] | undefined;
  /**
   * Where this process listens for the others. Not given: it connects to its peers alone, and serves and
   * calls over those connections. A host beyond this machine needs a `token`.
   */
  readonly listen?: HttpListen | undefined;
  /**
   * What each process must show to the one that it connects to, 16 characters or more. A process that has it is
   * trusted with every name of a caller.
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
   * Name of this process for those it calls: `trustedPeers` names it. The same characters as `mesh`.
   *
   * @default "any"
   */
  readonly caller?: string | undefined;
}

/** Where a process listens. */
export interface HttpListen {
  /** @default "127.0.0.1" */
  readonly host?: string | undefined;
  /**
   * 0 to 65535. 0: a free one.
   *
   * @default 0
   */
  readonly port?: number | undefined;
}

/** Files for TLS. */
export interface HttpTls {
  /** Certificate that this process shows where it listens, and its key. Then it listens for `https:`. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Certificates that signed those of peers. Those of the system where not given. */
  readonly caFile?: string | undefined;
}

/** What a link needs of the options, checked. */
export type HttpLinkOptions = Pick<HttpTransportOptions, "peers" | "listen" | "token" | "tls"> & {
  readonly mesh: string;
};

/** The path of every request of a link. */
export const linkPath = "/constellation/link";

/** Headers of every request of a link: the mesh, and a random id of the process. */
export const headerNames = { mesh: "constellation-mesh", node: "constellation-node" } as const;

/** Maximum size of one request's body, in bytes. */
export const maxPostBytes = 8_388_608;

/** Maximum size of what waits to be sent to one peer, in bytes. A peer that is slower is disconnected. */
export const maxWaitingBytes = 134_217_728;
