import { randomUUID } from "node:crypto";
import { open, readFile, rm } from "node:fs/promises";
import { StoreError } from "./store-error.js";

/** Keeps other processes from writing. */
export interface WriteLock {
  /** Rejects when another process has taken the lock meanwhile. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks this process holds: after a restart in a container, this process may have the same id by
 * chance.
 */
const held = new Set<string>();

/** Takes the lock, also from a process that no longer exists.
 *
 * @param file - Path of the lock file.
 * @throws {StoreError} "locked" while another process, or another store of this one, writes.
 */
export async function takeWriteLock(file: string): Promise<WriteLock> {
  const token = `${process.pid} ${randomUUID()}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await isWritten(file, token)) {
      held.add(token);
      return {
        async check() {
          if ((await tokenIn(file)) !== token) throw locked(file);
        },
        async release() {
          held.delete(token);
          if ((await tokenIn(file)) === token) await rm(file, { force: true });
        },
      };
    }
    const holder = await tokenIn(file);
    if (holder !== undefined && isAlive(holder)) throw locked(file);
    await rm(file, { force: true });
  }
  throw locked(file);
}

async function isWritten(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600);
    try {
      await handle.writeFile(token);
    } finally {
      await handle.close();
    }
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

async function tokenIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

function isAlive(token: string): boolean {
  if (held.has(token)) return true;
  const pid = Number(token.split(" ")[0]);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // The process exists but belongs to another user.
    return errorCode(thrown) === "EPERM";
  }
}

function locked(file: string): StoreError {
  return new StoreError(
    "locked",
    `Another process writes to this store. Wait until it has finished; if there is no such process, remove "${file}".`,
  );
}

/** The code of a failed system call. */
export function errorCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : undefined;
}
