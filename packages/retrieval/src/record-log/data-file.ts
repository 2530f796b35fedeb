import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { encodeLogHeader } from "./frame.js";
import { readGeneration } from "./read-log.js";
import { StoreError } from "./store-error.js";
import { errorCode } from "./write-lock.js";

/** An open data file. */
export interface DataFile {
  readonly handle: FileHandle;
  /** Changes when the file is written anew; places in another generation mean nothing. */
  readonly generation: string;
  /** Differs for a file that took its place. */
  readonly inode: number;
  readonly isWritable: boolean;
}

/** Opens a data file; creates an empty one and its folder when missing.
 *
 * @throws {StoreError} "corrupt" for a file of another kind.
 */
export async function openDataFile(path: string, magic: string): Promise<DataFile> {
  const { handle, isWritable } = await openHandle(path, magic);
  try {
    const generation = await readGeneration(handle, magic);
    if (generation === undefined) {
      throw new StoreError(
        "corrupt",
        `"${path}" is not a store of this version. Name another folder, or move the file away and ingest the documents again.`,
      );
    }
    return { handle, generation, inode: (await handle.stat()).ino, isWritable };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** The state of a path. */
export interface FileLook {
  readonly size: number;
  readonly inode: number;
  /** Changes with every write, at the size the file had before too. */
  readonly mark: string;
}

/** Reads the state of a path. */
export async function inspectDataFile(path: string): Promise<FileLook> {
  const { size, ino, mtimeNs } = await stat(path, { bigint: true });
  return { size: Number(size), inode: Number(ino), mark: `${ino} ${size} ${mtimeNs}` };
}

async function openHandle(
  path: string,
  magic: string,
): Promise<{ handle: FileHandle; isWritable: boolean }> {
  try {
    return { handle: await open(path, "r+"), isWritable: true };
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") {
      return { handle: await open(path, "r"), isWritable: false };
    }
    if (code !== "ENOENT") throw thrown;
  }
  await createEmpty(path, magic);
  return { handle: await open(path, "r+"), isWritable: true };
}

/**
 * Creates the file with its header atomically, so that a crash leaves no partial file. Another
 * process may be first.
 */
async function createEmpty(path: string, magic: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeDraft(draft, encodeLogHeader(magic, randomUUID()));
    await link(draft, path);
  } catch (thrown) {
    if (errorCode(thrown) !== "EEXIST") throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(draft: string, bytes: Buffer): Promise<void> {
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
