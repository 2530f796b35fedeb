/** A page that can be read. */
export interface PageEntry {
  /** Path relative to the root, with forward slashes; never leads outside it. */
  readonly file: string;
  readonly bytes: number;
  /** When it last changed, in epoch milliseconds. Together with `bytes` it identifies a changed page. */
  readonly modifiedMs: number;
}

/** Reason for leaving out a page. */
export type OmissionReason =
  | "too-large"
  | "too-many-files"
  | "too-many-bytes"
  | "too-deep"
  | "outside-root"
  | "not-a-file"
  | "unsafe-name"
  | "growing"
  | "unreadable"
  | "binary";

/** A page or folder that was left out. */
export interface Omission {
  /** Relative to the root; invisible characters are escaped, such as `\u{202e}`. */
  readonly file: string;
  readonly reason: OmissionReason;
  /** One sentence for a person; names no absolute path. */
  readonly message: string;
}

/** Pages to read, and omissions. */
export interface PageListing {
  /** Sorted by `file`. */
  readonly pages: readonly PageEntry[];
  readonly omissions: readonly Omission[];
}

/** A source of pages: all that a knowledge base needs from a file system. */
export interface PageSource {
  /** Lists every page. Rejects when the root itself cannot be read, or with the signal's reason. */
  list(signal?: AbortSignal): Promise<PageListing>;
  /** Reads one listed page.
   *
   * @returns Its bytes, or why it could not be read. Rejects only with the signal's reason.
   */
  read(file: string, signal?: AbortSignal): Promise<Uint8Array | Omission>;
  /**
   * Rejects when the root cannot be read now, without listing it: for health checks. Default: only a listing
   * that fails is noticed.
   */
  check?(signal?: AbortSignal): Promise<void>;
}
