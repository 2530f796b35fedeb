import { type FileHandle, open } from "node:fs/promises";
import { onTestFinished } from "vitest";

/** A disk that a test fills and empties again. */
export interface LimitedDisk {
  /** Bytes that can be written until the disk is full. */
  freeBytes: number;
}

/**
 * Limits what file handles of this process write, until the test ends: what does not fit is written in part, then `ENOSPC`
 * follows, as on a disk that is full.
 */
export async function limitDisk(): Promise<LimitedDisk> {
  const disk = { freeBytes: Number.POSITIVE_INFINITY };
  const handle = await open(import.meta.filename, "r");
  const prototype: Pick<FileHandle, "write"> = Object.getPrototypeOf(handle);
  await handle.close();
  const write: (data: Buffer, offset: number, length: number) => Promise<{ bytesWritten: number }> =
    prototype.write;
  onTestFinished(() => void Object.assign(prototype, { write }));
  Object.assign(prototype, {
    async write(this: FileHandle, data: Buffer, offset = 0, length = data.length - offset) {
      const room = Math.min(length, disk.freeBytes);
      disk.freeBytes -= room;
      if (room > 0) return write.call(this, data, offset, room);
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    },
  });
  return disk;
}
