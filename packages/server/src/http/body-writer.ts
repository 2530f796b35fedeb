import type { ServerResponse } from "node:http";

/** Writes a body piece by piece, at the pace of whoever reads it. */
export interface BodyWriter {
  /** @returns Whether the client is still there. Resolves when there is room for more. */
  write(piece: string | Uint8Array): Promise<boolean>;
  /** Writes now, unless earlier pieces still wait: for signs of life. */
  writeIfIdle(piece: string): void;
  /** Ends the body and lets go of the connection's events. */
  end(): void;
}

/**
 * Takes over the body of a response whose head has been written.
 *
 * @param stallMs - Longest wait for room. After it the connection is cut.
 * @param onGone - Called once, when the client leaves before the end, or is cut off.
 */
export function openBody(raw: ServerResponse, stallMs: number, onGone: () => void): BodyWriter {
  let isOver = false;
  const onClose = () => {
    if (isOver) return;
    isOver = true;
    onGone();
  };
  raw.once("close", onClose);
  // A write to a socket that has just gone reports here too; `close` follows.
  const onError = () => undefined;
  raw.on("error", onError);
  if (raw.destroyed) onClose();

  return {
    async write(piece) {
      if (isOver) return false;
      if (raw.write(piece)) return true;
      await roomOf(raw, stallMs);
      return !isOver;
    },
    writeIfIdle(piece) {
      if (!isOver && !raw.writableNeedDrain) raw.write(piece);
    },
    end() {
      isOver = true;
      raw.off("close", onClose);
      if (!raw.destroyed) raw.end();
    },
  };
}

/** Resolves when there is room, or the connection is gone. */
function roomOf(raw: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => raw.destroy(), stallMs);
    const done = () => {
      clearTimeout(timer);
      raw.off("drain", done);
      raw.off("close", done);
      resolve();
    };
    raw.on("drain", done);
    raw.on("close", done);
    if (raw.destroyed) done();
  });
}
