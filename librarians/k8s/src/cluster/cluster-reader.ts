import type { KindName } from "./kinds.js";

/** Who owns an object: the controller above it, by uid. */
export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

/** The part of an object that every kind has. Other fields are there too, unchecked. */
export interface ObjectMetadata {
  readonly name: string;
  /** Absent on cluster-scoped objects. */
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Without `last-applied-configuration`, which copies whole manifests. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  /** RFC 3339, as the server gave it. */
  readonly creationTimestamp?: string;
  /** RFC 3339; present while the object is being deleted. */
  readonly deletionTimestamp?: string;
  readonly [field: string]: unknown;
}

/**
 * One object as a cluster or a file gave it. Only kind, name and namespace are checked: read the rest
 * with `valueAt` and its siblings. Values of a ConfigMap are empty strings; its keys are kept.
 */
export interface KubernetesObject {
  /** Empty when a file did not say. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Why something could not be read.
 *
 * - `forbidden`: the cluster refused (403) or rejected the credentials (401)
 * - `notFound`: the cluster does not know the kind (404 without an object's name), or has no log of the container
 * - `notRecorded`: a snapshot holds nothing of this kind, so absence proves nothing
 * - `notAllowed`: the reader's own allow-list of kinds or namespaces leaves it out
 * - `timeout`: no whole answer in time, or the caller aborted
 * - `malformed`: an answer or a file that is not what it should be
 * - `gone`: a page of a list expired twice (410)
 * - `throttled`: asked too often (429), and waiting would pass the deadline
 * - `tooLarge`: more than the limit of bytes, documents or objects; what was read is given
 * - `unavailable`: no connection, a cut connection, or a failure of the server (5xx)
 */
export type ReadProblemCode =
  | "forbidden"
  | "notFound"
  | "notRecorded"
  | "notAllowed"
  | "timeout"
  | "malformed"
  | "gone"
  | "throttled"
  | "tooLarge"
  | "unavailable";

/** Something that could not be read. It is a finding to report, never proof of absence. */
export interface ReadProblem {
  readonly code: ReadProblemCode;
  /** What was asked for, e.g. `nodes`, `pods in shop`, `log of shop/api/web`, or a file's name. */
  readonly subject: string;
  /** One sentence for a person. Holds no credentials and no text of the server beyond its reason. */
  readonly message: string;
  /** HTTP status, when a server answered. */
  readonly status?: number;
}

/** A user to impersonate. The cluster must allow it. */
export interface Identity {
  /** Printable ASCII. */
  readonly user: string;
  /** @default none */
  readonly groups?: readonly string[] | undefined;
}

/** Stops a read. */
export interface ReadOptions {
  /** Ends the read when it aborts; what was read by then comes back with problem `timeout`. */
  readonly signal?: AbortSignal | undefined;
}

/** Where to list. */
export interface ListOptions extends ReadOptions {
  /** Only this namespace. Ignored for cluster-scoped kinds. @default every namespace */
  readonly namespace?: string | undefined;
}

/** Which objects of a kind to list. */
export interface SelectOptions extends ListOptions {
  /** Only those with all of these labels. @default every one */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Only the one of this name in each namespace. @default every one */
  readonly name?: string | undefined;
}

/** Which events to list. */
export interface EventOptions extends ListOptions {
  /** Only events about this object. @default every one */
  readonly about?: { readonly kind: string; readonly name: string } | undefined;
}

/** What was listed, and what was not. */
export interface ListResult<Item = KubernetesObject> {
  /** In the order of the source. With a `problem`, what was read before it. */
  readonly items: readonly Item[];
  readonly problem?: ReadProblem;
}

/** One object. Neither `object` nor `problem`: it is known not to exist. */
export interface GetResult {
  readonly object?: KubernetesObject;
  readonly problem?: ReadProblem;
}

/** The object an event is about. */
export interface InvolvedObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** Part of the object, e.g. `spec.containers{web}`. */
  readonly fieldPath?: string;
}

/** One event, from core/v1 or events.k8s.io/v1, in one shape. */
export interface ClusterEvent {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly involved: InvolvedObject;
  /** `Normal` or `Warning`. Empty when the source had none. */
  readonly type: string;
  readonly reason: string;
  /** Untrusted text: redact and quote it. */
  readonly message: string;
  /** How often it was seen, at least 1. */
  readonly count: number;
  /** Epoch milliseconds; absent when the event carried no time at all. */
  readonly firstSeen?: number;
  /** Epoch milliseconds; absent when the event carried no time at all. */
  readonly lastSeen?: number;
  /** Component that reported it, e.g. `kubelet`. */
  readonly component?: string;
}

/** Which log to read, and how much of it. */
export interface LogOptions extends ReadOptions {
  readonly namespace: string;
  readonly pod: string;
  /** @default the only container of the pod */
  readonly container?: string | undefined;
  /** True for the container's run before the last restart. @default false */
  readonly previous?: boolean | undefined;
  /** Maximum number of lines to return, from the end. @default 100 */
  readonly tailLines?: number | undefined;
  /** Maximum number of bytes to return. @default 65536 */
  readonly limitBytes?: number | undefined;
}

/** The end of a log. Untrusted text: redact and quote it. */
export interface LogResult {
  /** Absent when nothing could be read. Empty when the container wrote nothing. */
  readonly text?: string;
  /** True when lines or bytes were cut. */
  readonly cut?: boolean;
  readonly problem?: ReadProblem;
}

/** What a pod's container or a node uses now, from metrics.k8s.io. */
export interface Usage {
  readonly kind: "Pod" | "Node";
  readonly name: string;
  readonly namespace?: string;
  /** Absent for nodes. */
  readonly container?: string;
  /** Quantity with its unit, as given, e.g. `250m`. */
  readonly cpu?: string;
  /** Quantity with its unit, as given, e.g. `580Mi`. */
  readonly memory?: string;
  /** Epoch milliseconds of the measurement. */
  readonly at?: number;
}

/**
 * Reads a cluster or a snapshot. It cannot change anything and cannot read a Secret.
 *
 * No method rejects because of what the cluster does: failures are `problem` values.
 */
export interface ClusterReader {
  /** The objects of a kind, every page. */
  list(kind: KindName, options?: SelectOptions): Promise<ListResult>;
  /** One object by name. `namespace` is ignored for cluster-scoped kinds. */
  get(
    kind: KindName,
    namespace: string | undefined,
    name: string,
    options?: ReadOptions,
  ): Promise<GetResult>;
  /** Events of both APIs, each once, newest first; those without any time last. */
  events(options?: EventOptions): Promise<ListResult<ClusterEvent>>;
  /** The end of one container's log. */
  logs(options: LogOptions): Promise<LogResult>;
  /** Usage of pods and nodes. A namespace leaves the nodes out; labels may be left out of account. */
  usage(options?: SelectOptions): Promise<ListResult<Usage>>;
  /** Epoch milliseconds that times are measured against: the snapshot's own time, or now. */
  now(): number;
  /**
   * True where a list costs: a question about one object then reads that, and what belongs to it.
   *
   * @default false
   */
  readonly isSelective?: boolean;
  /** Names the source, without credentials, e.g. `cluster https://10.0.0.1:6443`, `snapshot dump/`. */
  describe(): string;
  /** What could not be read when the source was opened, e.g. broken files of a snapshot. */
  readonly loadProblems?: readonly ReadProblem[];
  /** Pods whose logs a recording holds, also those it holds no object of. */
  recordedLogs?(): readonly { readonly namespace: string; readonly pod: string }[];
  /**
   * The same source, read as another user, where the source supports impersonation. Shares connections with
   * this reader, so close this one.
   */
  actingAs?(identity: Identity): ClusterReader;
  /** Closes connections. The reader must not be used afterwards. */
  close?(): Promise<void>;
}
