/** One Markdown page, without its text. */
export interface PageInfo {
  /** Relative to the root, with forward slashes: `deploy/rollback.md`. Names the page in sources. */
  readonly path: string;
  /** Length of its text, in bytes. */
  readonly bytes: number;
  /** Differs whenever the text does: a page whose version is known is not read again. */
  readonly version: string;
}

/** The only thing this librarian needs from wherever its pages are kept. */
export interface PageReader {
  /**
   * Lists the pages, the same ones in the same order each time. Must stop when `signal` aborts.
   * Rejects when the place they are kept in cannot be read.
   */
  list(signal: AbortSignal): AsyncIterable<PageInfo>;
  /**
   * Reads a page that `list` named. Must stop when `signal` aborts.
   *
   * @returns `undefined` when the page is gone.
   */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
}
