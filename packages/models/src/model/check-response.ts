import { readEvents, tryParseJson } from "./events.js";
import { brokenReply } from "./failure.js";

/** State of the beginning of a stream: nothing yet, text, or a failure with its status. */
export type Beginning = "nothing" | "text" | { readonly status: number };

/**
 * Bounds the body of a response, and converts a failure that its stream reports before any text to a response with the
 * failure's status, so that it is retried and named like failures without a stream.
 *
 * @param maxBytes - The body fails beyond it. 1 or more.
 * @param classify - Classifies the data of one event, which is untrusted.
 * @returns Any other response with the same text, once the first of it has arrived.
 */
export async function checkResponse(
  given: Response,
  maxBytes: number,
  classify: (event: unknown) => Beginning,
): Promise<Response> {
  const response = withBoundedBody(given, maxBytes);
  const { body, ok, status, statusText, headers } = response;
  const isStream = (headers.get("content-type") ?? "").includes("text/event-stream");
  if (!ok || !isStream || body === null) return response;
  const [peeked, rest] = body.tee();
  const events = readEvents(peeked);
  let failure: Response | undefined;
  try {
    let beginning: Beginning = "nothing";
    while (beginning === "nothing") {
      const { value: event, done } = await events.next();
      if (done === true) break;
      beginning = classify(tryParseJson(event));
      if (typeof beginning === "string") continue;
      failure = new Response(event, {
        status: beginning.status,
        headers: failureHeaders(headers),
      });
      break;
    }
  } catch {
    // The reader of the rest gets the same failure.
  }
  // Not awaited: cancelling one branch of a stream resolves once the other branch was cancelled or read.
  void events.return(undefined).catch(() => undefined);
  if (failure !== undefined) {
    void rest.cancel().catch(() => undefined);
    return failure;
  }
  return new Response(rest, { status, statusText, headers });
}

/** Headers for the text of one event, which is neither compressed nor a stream. */
function failureHeaders(headers: Headers): Headers {
  const own = new Headers(headers);
  own.set("content-type", "application/json");
  own.delete("content-length");
  own.delete("content-encoding");
  return own;
}

function withBoundedBody(response: Response, maxBytes: number): Response {
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
