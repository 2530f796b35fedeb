import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { ClusterReader } from "../src/cluster/cluster-reader.js";
import { openSnapshot } from "../src/snapshot/open-snapshot.js";
import type { SnapshotOptions } from "../src/snapshot/options.js";

/** Files by their place in a snapshot. */
export type SnapshotFiles = Readonly<Record<string, string>>;

/** A folder for the snapshot of one test. */
export interface SnapshotFolder {
  path(): string;
  write(files: SnapshotFiles): Promise<void>;
  /** Writes the files and opens the folder. */
  open(files: SnapshotFiles, options?: Omit<SnapshotOptions, "path">): Promise<ClusterReader>;
}

/** Registers hooks that make an empty folder before each test, and remove it after. */
export function useSnapshotFolder(): SnapshotFolder {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "snapshot-"));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  async function write(files: SnapshotFiles): Promise<void> {
    for (const [place, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, place)), { recursive: true });
      await writeFile(join(root, place), text);
    }
  }

  return {
    path: () => root,
    write,
    async open(files, options) {
      await write(files);
      return openSnapshot({ ...options, path: root });
    },
  };
}

/** A list as `kubectl get` prints it. */
export function listOf(items: readonly unknown[]): object {
  return { apiVersion: "v1", kind: "List", items };
}

/** An object with nothing but a name. */
export function named(kind: string, name: string): object {
  return { apiVersion: "v1", kind, metadata: { name, namespace: "shop" } };
}
