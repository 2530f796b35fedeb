import type { Identity } from "../cluster/cluster-reader.js";
import type { ReadLimits } from "../cluster/restricted-reader.js";

/** Which cluster to read, as whom, and how much of it. */
export interface LiveReaderOptions extends ReadLimits {
  /**
   * Path of a kubeconfig file.
   *
   * @default what `kubectl` would use: `KUBECONFIG`, `~/.kube/config`, or the pod's service account
   */
  readonly kubeconfig?: string | undefined;
  /** Name of a context in it. @default its current context */
  readonly context?: string | undefined;
  /**
   * Reads with the service account of the pod, whatever kubeconfig there is: its token, authority and namespace
   * lie below this folder, in `var/run/secrets/kubernetes.io/serviceaccount`. `/` in a pod.
   *
   * @default none; a pod without a kubeconfig reads with its service account as well
   */
  readonly serviceAccountRoot?: string | undefined;
  /** Act as another party. Needs a right that the shipped role does not give. @default itself */
  readonly impersonate?: Identity | undefined;
  /** Maximum time for one answer of the server, in milliseconds: 1 to 2147483647. @default 10000 */
  readonly requestTimeoutMs?: number | undefined;
  /** Maximum time for one read with all its pages, waits and credentials, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Objects asked for in one page: 1 to 10000. @default 500 */
  readonly pageSize?: number | undefined;
  /** Maximum number of objects of one list. A longer list gets problem `tooLarge`. @default 100000 */
  readonly maxItems?: number | undefined;
  /** Maximum number of bytes of one page. @default 67108864 */
  readonly maxResponseBytes?: number | undefined;
}

/** The numbers of {@link LiveReaderOptions}, all there. */
export interface LiveReaderBounds {
  readonly requestTimeoutMs: number;
  readonly timeoutMs: number;
  readonly pageSize: number;
  readonly maxItems: number;
  readonly maxResponseBytes: number;
}

export const liveReaderDefaults: LiveReaderBounds = {
  requestTimeoutMs: 10_000,
  timeoutMs: 30_000,
  pageSize: 500,
  maxItems: 100_000,
  maxResponseBytes: 67_108_864,
};

const maxTimerMs = 2_147_483_647;

const maximums: LiveReaderBounds = {
  requestTimeoutMs: maxTimerMs,
  timeoutMs: maxTimerMs,
  pageSize: 10_000,
  maxItems: 10_000_000,
  maxResponseBytes: 536_870_888,
};

/** @throws TypeError or RangeError naming the first option that cannot be used, and its value. */
export function checkLiveReaderOptions(options: LiveReaderOptions): LiveReaderBounds {
  if (options.impersonate !== undefined) checkIdentity(options.impersonate);
  const bound = (key: keyof LiveReaderBounds): number => {
    const value = options[key] ?? liveReaderDefaults[key];
    if (!Number.isInteger(value) || value < 1 || value > maximums[key]) {
      throw new RangeError(
        `${key}: expected an integer, 1 to ${maximums[key]}, got ${String(value)}.`,
      );
    }
    return value;
  };
  return {
    requestTimeoutMs: bound("requestTimeoutMs"),
    timeoutMs: bound("timeoutMs"),
    pageSize: bound("pageSize"),
    maxItems: bound("maxItems"),
    maxResponseBytes: bound("maxResponseBytes"),
  };
}

/** @throws TypeError for a name that cannot be a header, since a request could then act as an empty user. */
export function checkIdentity(identity: Identity): void {
  for (const name of [identity.user, ...(identity.groups ?? [])]) {
    if (typeof name !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name)) {
      throw new TypeError(
        `impersonate: expected names of printable ASCII, got ${JSON.stringify(name)}.`,
      );
    }
  }
}
