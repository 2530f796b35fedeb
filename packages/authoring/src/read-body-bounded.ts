/**
 * Reads the body of a request or of a response as a whole.
 *
 * @param maxBytes - Integer, 0 or more.
 * @returns `undefined` where it is larger. The rest is then not read, and the connection is free.
 */
export async function readBodyBounded(
  { body }: Pick<Request | Response, "body">,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined; // which cancels the body
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
