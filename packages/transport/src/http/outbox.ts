import { maxPostBytes, maxWaitingBytes } from "./options.js";
import type { PeerConnection } from "./peer.js";

/** Sends frames in order: one request at a time. Frames that arrive during a request go with the next one. */
export function createOutbox(
  post: (body: Uint8Array) => Promise<void>,
  onFailure: () => void,
): Pick<PeerConnection, "send" | "flush"> {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let sending: Promise<void> | undefined;

  function fail(): void {
    waiting = [];
    waitingBytes = 0;
    onFailure();
  }

  async function sendAll(): Promise<void> {
    await Promise.resolve(); // frames of one turn are sent together
    while (waiting.length > 0) {
      const frames = waiting.splice(0, countFittingFrames(waiting));
      const body = Buffer.concat(frames);
      waitingBytes -= body.length;
      await post(body).catch(fail);
    }
    sending = undefined;
  }

  return {
    send(frame) {
      waitingBytes += frame.length;
      if (waitingBytes > maxWaitingBytes) return fail();
      waiting.push(frame);
      sending ??= sendAll();
    },
    async flush() {
      await sending;
    },
  };
}

/** Number of frames that fit into one body, at least one. */
function countFittingFrames(frames: readonly Buffer[]): number {
  let bytes = 0;
  const end = frames.findIndex((frame) => {
    bytes += frame.length;
    return bytes > maxPostBytes;
  });
  return end < 0 ? frames.length : Math.max(1, end);
}
