import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { IndexStore } from "./index-store.js";

/**
 * Keeps an index in one file. Its folder is created when missing.
 *
 * @param file - Path of the file. Other users should not be able to write to it.
 */
export function createFileStore(file: string): IndexStore {
  if (typeof file !== "string" || file === "") {
    throw new TypeError(`file: expected the path of a file, got ${JSON.stringify(file)}`);
  }
  return {
    async load(signal) {
      try {
        // Non-blocking, because reading a pipe in place of the file would never end.
        const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
        try {
          if (!(await handle.stat()).isFile()) throw new Error("It is not a regular file.");
          return await handle.readFile(signal === undefined ? {} : { signal });
        } finally {
          await handle.close();
        }
      } catch (thrown) {
        if (isMissing(thrown)) return undefined;
        throw thrown;
      }
    },
    async save(bytes, signal) {
      signal?.throwIfAborted();
      await mkdir(dirname(file), { recursive: true });
      const draft = `${file}.${randomUUID()}.tmp`;
      try {
        const handle = await open(draft, "wx", 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        signal?.throwIfAborted();
        await rename(draft, file);
      } catch (thrown) {
        await rm(draft, { force: true });
        throw thrown;
      }
    },
  };
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
}
