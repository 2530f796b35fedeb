/** Limits for reading a snapshot. Whatever exceeds them is left out and reported. */
export interface SnapshotLimits {
  /** Maximum number of files read. @default 20000 */
  readonly maxFiles?: number;
  /** Maximum number of bytes of one file. Of a longer log file, the end is read. @default 268435456 */
  readonly maxFileBytes?: number;
  /** Maximum number of bytes of all files. @default 536870912 */
  readonly maxTotalBytes?: number;
  /** Maximum number of objects, events and measurements kept. @default 500000 */
  readonly maxObjects?: number;
  /** Deepest folder below the root that is entered. @default 16 */
  readonly maxDepth?: number;
  /** Maximum number of bytes kept of the end of one log. @default 262144 */
  readonly maxLogBytes?: number;
  /** Maximum number of bytes kept of all logs. @default 67108864 */
  readonly maxTotalLogBytes?: number;
}

export const snapshotDefaults: Required<SnapshotLimits> = {
  maxFiles: 20_000,
  maxFileBytes: 268_435_456,
  maxTotalBytes: 536_870_912,
  maxObjects: 500_000,
  maxDepth: 16,
  maxLogBytes: 262_144,
  maxTotalLogBytes: 67_108_864,
};

/** Which snapshot to open, and how. */
export interface SnapshotOptions {
  /** A file or a folder. Symbolic links below it are not followed. */
  readonly path: string;
  /** Epoch milliseconds at which it was taken. @default the newest moment found in it */
  readonly now?: number | undefined;
  /** Name of the snapshot in answers. @default "snapshot " and the last part of `path` */
  readonly name?: string | undefined;
  readonly limits?: SnapshotLimits | undefined;
  /** Stops the opening, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws TypeError or RangeError naming the first option that cannot be used, and its value. */
export function checkSnapshotOptions(options: SnapshotOptions): Required<SnapshotLimits> {
  if (typeof options.path !== "string" || options.path === "") {
    throw new TypeError(`path: expected a file or a folder, got ${JSON.stringify(options.path)}.`);
  }
  if (options.now !== undefined && !Number.isFinite(options.now)) {
    throw new RangeError(`now: expected epoch milliseconds, got ${options.now}.`);
  }
  const limits = { ...snapshotDefaults };
  for (const [key, value] of Object.entries(options.limits ?? {})) {
    if (!isLimit(key)) throw new TypeError(`limits: unknown key ${JSON.stringify(key)}.`);
    if (!(typeof value === "number" && value >= 1)) {
      throw new RangeError(`limits.${key}: expected a number of 1 or more, got ${String(value)}.`);
    }
    limits[key] = value;
  }
  return limits;
}

function isLimit(key: string): key is keyof SnapshotLimits {
  return Object.hasOwn(snapshotDefaults, key);
}
