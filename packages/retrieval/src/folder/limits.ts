/** Limits on what is read of a folder. */
export interface FolderLimits {
  /**
   * Most pages; those beyond, in the order of their paths, are left out. Integer, 1 or more.
   *
   * @default 200_000
   */
  readonly maxFiles?: number;
  /**
   * Longest page in bytes. Integer, 1 or more.
   *
   * @default 10_485_760
   */
  readonly maxFileBytes?: number;
  /**
   * Most bytes of all pages together. Integer, 1 or more.
   *
   * @default 268_435_456
   */
  readonly maxTotalBytes?: number;
  /**
   * Folders below the root, the root itself being 0. Integer, 0 or more.
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
export function limitsOf(limits: FolderLimits = {}): Required<FolderLimits> {
  const all = {
    maxFiles: limits.maxFiles ?? folderLimits.maxFiles,
    maxFileBytes: limits.maxFileBytes ?? folderLimits.maxFileBytes,
    maxTotalBytes: limits.maxTotalBytes ?? folderLimits.maxTotalBytes,
    maxDepth: limits.maxDepth ?? folderLimits.maxDepth,
  };
  for (const [name, value] of Object.entries(all)) {
    const least = name === "maxDepth" ? 0 : 1;
    if (value !== Number.POSITIVE_INFINITY && (!Number.isInteger(value) || value < least)) {
      throw new RangeError(`${name}: expected an integer of ${least} or more, got ${value}`);
    }
  }
  return all;
}
