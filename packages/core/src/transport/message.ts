import { isRecord } from "../contract/unknown-value.js";

/** A message between two processes: a header as JSON on the first line, then bytes. */
export interface Message {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

/** Maximum size of a header, in bytes. */
export const maxHeaderBytes = 2_048;

const lineBreak = 10;
const noBytes = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeMessage(header: object, body: Uint8Array = noBytes): Uint8Array {
  const head = encoder.encode(`${JSON.stringify(header)}\n`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return message;
}

/** @returns `undefined` where it is not a message of ours. */
export function decodeMessage(payload: Uint8Array): Message | undefined {
  const end = payload.subarray(0, maxHeaderBytes + 1).indexOf(lineBreak);
  if (end < 0) return undefined;
  const header = parseJson(payload.subarray(0, end));
  return isRecord(header) ? { header, body: payload.subarray(end + 1) } : undefined;
}

export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

/** @returns `undefined` where it is not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
