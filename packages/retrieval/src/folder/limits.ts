/** Limits for reading a folder. */
export interface FolderLimits {
  /**
   * Maximum number of pages; further ones, in the order of their paths, are left out. Integer, 1 or
   * more.
   *
   * @default 200_000
   */
  readonly maxFiles?: number;
  /**
   * Maximum size of a page, in bytes. Integer, 1 or more.
   *
   * @default 10_485_760
   */
  readonly maxFileBytes?: number;
  /**
   * Maximum total size of all pages, in bytes. Integer, 1 or more.
   *
   * @default 268_435_456
   */
  readonly maxTotalBytes?: number;
  /**
   * Maximum depth of folders below the root, which has depth 0. Integer, 0 or more.
   *
   * @default 16
   */
  readonly maxDepth?: number;
}

/** The defaults named in {@link FolderLimits}. */
export const folderLimits: Required<FolderLimits> = {
  maxFiles: 200_000,
  maxFileBytes: 10 * 1024 * 1024,
  maxTotalBytes: 256 * 1024 * 1024,
  maxDepth: 16,
};

/**
 * Fills in the defaults.
 *
 * @throws {RangeError} For a limit outside its range.
 */
export function checkLimits(limits: FolderLimits = {}): Required<FolderLimits> {
  const all = {
    maxFiles: limits.maxFiles ?? folderLimits.maxFiles,
    maxFileBytes: limits.maxFileBytes ?? folderLimits.maxFileBytes,
    maxTotalBytes: limits.maxTotalBytes ?? folderLimits.maxTotalBytes,
    maxDepth: limits.maxDepth ?? folderLimits.maxDepth,
  };
  for (const [name, value] of Object.entries(all)) {
    const minimum = name === "maxDepth" ? 0 : 1;
    if (value !== Number.POSITIVE_INFINITY && (!Number.isInteger(value) || value < minimum)) {
      throw new RangeError(`${name}: expected an integer of ${minimum} or more, got ${value}`);
    }
  }
  return all;
}
