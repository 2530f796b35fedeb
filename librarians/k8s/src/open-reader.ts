import { MeshError } from "@constellation/core";
import { admitReader } from "./cluster/admit-reader.js";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import { isKindName } from "./cluster/kinds.js";
import { restrictReader } from "./cluster/restricted-reader.js";
import { createLiveReader } from "./live/live-reader.js";
import type { K8sLibrarianOptions } from "./options.js";
import { openSnapshot } from "./snapshot/open-snapshot.js";
import { tracedReader } from "./traced-reader.js";

/** Gives the reader of a librarian; it is opened when it is first needed, and once. */
export interface OpenedReader {
  current(): Promise<ClusterReader>;
  close(): Promise<void>;
}

/** Prepares a reader: restricted to what is allowed, and with a span for each read. */
export function prepareReader(options: K8sLibrarianOptions): OpenedReader {
  let opening: Promise<ClusterReader> | undefined;
  return {
    current() {
      opening ??= open(options).then(
        (reader) => tracedReader(restrictReader(reader, toReaderLimits(options))),
        (thrown: unknown) => {
          opening = undefined;
          throw thrown;
        },
      );
      return opening;
    },
    async close() {
      const reader = await opening?.catch(() => undefined);
      opening = undefined;
      await reader?.close?.();
    },
  };
}

async function open({
  reader,
  snapshot,
  kubeconfig,
  context,
}: K8sLibrarianOptions): Promise<ClusterReader> {
  if (reader !== undefined) return admitReader(reader);
  if (snapshot === undefined) return createLiveReader({ kubeconfig, context });
  try {
    return await openSnapshot({ path: snapshot });
  } catch (thrown) {
    if (thrown instanceof MeshError) throw thrown;
    throw new MeshError("DATA_SOURCE_ERROR", "The snapshot could not be read.", {
      suggestion: "Check that the file or folder of option `snapshot` is there and readable.",
      cause: thrown,
    });
  }
}

function toReaderLimits({ namespaces, kinds }: K8sLibrarianOptions) {
  const isSubject = (kind: string) =>
    isKindName(kind) || kind === "Event" || kind === "log" || kind === "usage";
  return {
    namespaces,
    kinds: kinds?.filter(isSubject) as Parameters<typeof restrictReader>[1]["kinds"],
  }; // checked when created
}
