import { decodeMessage, encodeMessage, type Message } from "../message.js";

/** Maximum size of one frame, in bytes: a message of a transport, and its header. */
export const maxFrameBytes = 1_114_112;

const lengthBytes = 4;

/** One message with its length before it, so that several fit into one body. */
export function encodeFrame(header: object, body?: Uint8Array): Buffer {
  const message = encodeMessage(header, body);
  const frame = Buffer.allocUnsafe(lengthBytes + message.length);
  frame.writeUInt32BE(message.length);
  frame.set(message, lengthBytes);
  return frame;
}

/** Reads frames from bytes that come in pieces of any size. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);

  /**
   * @returns The messages that are complete now.
   * @throws RangeError for a frame that is too large, or not a message.
   */
  push(bytes: Uint8Array): readonly Message[] {
    let rest =
      this.#pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#pending, bytes]);
    const messages: Message[] = [];
    while (rest.length >= lengthBytes) {
      const length = rest.readUInt32BE();
      if (length > maxFrameBytes) throw new RangeError("The frame is too large.");
      if (rest.length < lengthBytes + length) break;
      const message = decodeMessage(rest.subarray(lengthBytes, lengthBytes + length));
      if (message === undefined) throw new RangeError("The frame is not a message.");
      messages.push(message);
      rest = rest.subarray(lengthBytes + length);
    }
    this.#pending = rest;
    return messages;
  }
}
