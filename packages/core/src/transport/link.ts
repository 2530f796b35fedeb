/** One message, as it arrives. */
export interface LinkMessage {
  /** Subject it was published to: the last token of a call's subject names its caller. */
  readonly subject: string;
  readonly payload: Uint8Array;
  /** Subject for replies. */
  readonly reply: string | undefined;
  /** The link's own notice that no one receives what was published with this subject for replies. */
  readonly isUndeliverable: boolean;
}

/** A subscription to a subject. */
export interface LinkSubscription {
  /** Ends it at once. */
  unsubscribe(): void;
  /** Ends it once every message that was already on its way has been received. */
  drain(): Promise<void>;
}

/**
 * What a transport needs of a message system: subjects of tokens joined by dots, where the last token of
 * a subscription may be `*`. Messages may be lost, delayed, doubled and reordered.
 */
export interface Link {
  /** What carries its messages, such as `"nats"`. */
  readonly carrier: string;
  /** Connects. Further calls wait for the same connection. Rejects when `signal` aborts. */
  open(signal: AbortSignal | undefined): Promise<void>;
  /** Whether what is published now can arrive. */
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
  /** Who is present, in a map that all processes share. */
  readonly presence: LinkPresence;
  /**
   * Claims a key for this process.
   *
   * @returns Whether it is the first to do so, within at least ten minutes.
   */
  claim(key: string): Promise<boolean>;
  /** Resolves when what was published has been sent. */
  flush(): Promise<void>;
  /** Ends every subscription and the connection. Never rejects. */
  close(): Promise<void>;
}

/** Entries that processes keep about themselves. */
export interface LinkPresence {
  put(key: string, value: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * Reports every entry, those there are first, then each change.
   *
   * @param onEntry - `undefined`: the entry was removed.
   * @returns A function that stops it, once all entries there are now were reported.
   */
  watch(onEntry: (key: string, value: Uint8Array | undefined) => void): Promise<() => void>;
}
