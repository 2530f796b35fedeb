import { brokenReply } from "./failure.js";

/**
 * Copies a response; the copy's body fails once it exceeds `maxBytes`.
 *
 * @param maxBytes - 1 or more.
 */
export function withBoundedBody(response: Response, maxBytes: number): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  let bytes = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw brokenReply(`the reply has more than ${maxBytes} bytes`);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { status, statusText, headers });
}
