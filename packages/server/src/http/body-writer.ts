import type { ServerResponse } from "node:http";

/** Writes a body piece by piece, as fast as the client reads it. */
export interface BodyWriter {
  /** @returns Whether the client is still connected. Resolves when there is room for more. */
  write(piece: string | Uint8Array): Promise<boolean>;
  /** Writes now, unless earlier pieces still wait. For heartbeats. */
  writeIfIdle(piece: string): void;
  /** Ends the body and removes the listeners from the connection. */
  end(): void;
}

/**
 * Takes over the body of a response whose head has been written.
 *
 * @param stallMs - Maximum wait for room in milliseconds. After it the connection is cut.
 * @param onDisconnect - Called once, when the client disconnects before the end, or is disconnected.
 */
export function openBody(
  raw: ServerResponse,
  stallMs: number,
  onDisconnect: () => void,
): BodyWriter {
  let isOver = false;
  const onClose = () => {
    if (isOver) return;
    isOver = true;
    onDisconnect();
  };
  raw.once("close", onClose);
  // A write to a socket that was just closed reports here too; `close` follows.
  const onError = () => undefined;
  raw.on("error", onError);
  if (raw.destroyed) onClose();

  return {
    async write(piece) {
      if (isOver) return false;
      if (raw.write(piece)) return true;
      await waitForRoom(raw, stallMs);
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

/** Resolves when there is room, or the connection is closed. */
function waitForRoom(raw: ServerResponse, stallMs: number): Promise<void> {
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
