import type { ClusterReader } from "./cluster-reader.js";

/**
 * What a wrapper leaves to the reader it wraps. Works for readers that are instances of a class, too.
 *
 * @param wrap - Applied to the reader that impersonates another user.
 */
export function passThrough(
  reader: ClusterReader,
  wrap: (reader: ClusterReader) => ClusterReader,
): Pick<
  ClusterReader,
  "now" | "describe" | "isSelective" | "loadProblems" | "recordedLogs" | "actingAs" | "close"
> {
  const { loadProblems, actingAs, isSelective } = reader;
  return {
    now: () => reader.now(),
    describe: () => reader.describe(),
    ...(loadProblems !== undefined && { loadProblems }),
    ...(isSelective !== undefined && { isSelective }),
    ...(reader.recordedLogs !== undefined && {
      recordedLogs: () => reader.recordedLogs?.() ?? [],
    }),
    ...(actingAs !== undefined && {
      actingAs: (identity) => wrap(actingAs.call(reader, identity)),
    }),
    ...(reader.close !== undefined && { close: async () => reader.close?.() }),
  };
}
