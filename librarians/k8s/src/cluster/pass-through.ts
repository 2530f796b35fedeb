import type { ClusterReader } from "./cluster-reader.js";

/** What a wrapper leaves to the reader it wraps. Works for readers that are instances of a class, too. */
export function passThrough(
  reader: ClusterReader,
): Pick<ClusterReader, "now" | "describe" | "loadProblems" | "close"> {
  const { loadProblems } = reader;
  return {
    now: () => reader.now(),
    describe: () => reader.describe(),
    ...(loadProblems !== undefined && { loadProblems }),
    ...(reader.close !== undefined && { close: async () => reader.close?.() }),
  };
}
