import { isRecord } from "@constellation/core/checks";

/** A message between two processes: a header as JSON on the first line, then bytes. */
export interface Message {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** Maximum size of a header, in bytes. */
export const maxHeaderBytes = 2_048;

const lineBreak = 10;

export function encodeMessage(header: object, body?: Uint8Array): Uint8Array {
  const head = Buffer.from(`${JSON.stringify(header)}\n`);
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** A message whose body is JSON: encoded at once. */
export function encodeJsonMessage(header: object, body: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify(body)}`);
}

/** @returns `undefined` for bytes that are not a message of this protocol. */
export function decodeMessage(payload: Uint8Array): Message | undefined {
  const end = payload.subarray(0, maxHeaderBytes + 1).indexOf(lineBreak);
  if (end < 0) return undefined;
  const header = parseJson(payload.subarray(0, end));
  return isRecord(header) ? { header, body: payload.subarray(end + 1) } : undefined;
}

export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** @returns `undefined` where it is not JSON. */
export function parseJson({ buffer, byteOffset, length }: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(buffer, byteOffset, length).toString());
  } catch {
    return undefined;
  }
}
