/**
 * One message, as it arrives.
 *
 * @beta
 */
export interface LinkMessage {
  /** Subject it was published to: the last token of a call's subject names its caller. */
  readonly subject: string;
  readonly payload: Uint8Array;
  /** Subject for replies. */
  readonly reply: string | undefined;
  /** Whether this is a notice of the link that the message with this reply subject had no receiver. */
  readonly isUndeliverable: boolean;
}

/**
 * A subscription to a subject.
 *
 * @beta
 */
export interface LinkSubscription {
  /** Ends it at once. */
  unsubscribe(): void;
  /** Ends it once every message in flight has been received. */
  drain(): Promise<void>;
}

/**
 * A message system, as a transport uses it: subjects of tokens joined by dots, where the last token of
 * a subscription may be `*`. Messages may be lost, delayed, duplicated and reordered.
 *
 * @beta
 */
export interface Link {
  /** Name of the message system, such as `"nats"`. */
  readonly carrier: string;
  /** Connects. Further calls wait for the same connection. Rejects when `signal` aborts. */
  open(signal: AbortSignal | undefined): Promise<void>;
  /** Whether the link is connected, so that messages can arrive. */
  readonly isConnected: boolean;
  /** Maximum size of one message, in bytes. */
  readonly maxPayload: number;
  /**
   * Receives messages.
   *
   * @param group - Each message goes to one subscription of a group.
   */
  subscribe(
    subject: string,
    onMessage: (message: LinkMessage) => void,
    group?: string,
  ): LinkSubscription;
  /** Sends a message. Throws only for a subject or a size that is not valid. */
  publish(subject: string, payload: Uint8Array, reply?: string): void;
  /**
   * Calls back whenever messages can arrive again that could not before: the connection is back, or another
   * process is connected.
   *
   * @returns A function that stops it.
   */
  onConnected(listener: () => void): () => void;
  /** Claims of calls. */
  readonly claims: LinkClaims;
  /**
   * Answers the pings of other processes from a thread of its own, so that a process whose event loop is busy is
   * not taken for dead. Without it the event loop answers them.
   *
   * @param onReady - Called once it answers.
   */
  startResponder?(responder: PingResponder, onReady: () => void): RunningResponder;
  /** Resolves when what was published has been sent, and received by the server where there is one. */
  flush(): Promise<void>;
  /** Ends every subscription and the connection. Never rejects. */
  close(): Promise<void>;
}

/**
 * Entries of which exactly one process creates each: the first one decides on a call.
 *
 * @beta
 */
export interface LinkClaims {
  /** Whether all processes share the entries. If not, each process has its own. */
  readonly isShared: boolean;
  /** Creates the storage of the entries. @throws MeshError that names what is missing. */
  prepare(): Promise<void>;
  /**
   * Creates an entry, which is kept for at least fifteen minutes.
   *
   * @returns `undefined` for the first one; else the entry that is there.
   * @throws MeshError `SERVICE_UNAVAILABLE` with the cause: it is not known whether the entry was created.
   */
  create(key: string, value: Uint8Array): Promise<Uint8Array | undefined>;
  /** Replaces the entry that this process has created. */
  update(key: string, value: Uint8Array): Promise<void>;
  /** @returns `undefined` where the entry is unknown. */
  read(key: string): Promise<Uint8Array | undefined>;
}

/**
 * Options of the thread that answers pings.
 *
 * @beta
 */
export interface PingResponder {
  /** Subject of the pings. */
  readonly subject: string;
  /** Start of the subjects that may be answered. */
  readonly replyPrefix: string;
  /** Digest that answers carry. */
  readonly digest: string;
}

/**
 * A thread that answers pings.
 *
 * @beta
 */
export interface RunningResponder {
  /** Sets the digest of further answers. */
  update(digest: string): void;
  close(): void;
}
