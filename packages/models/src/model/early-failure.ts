import { readEvents, tryParseJson } from "./events.js";

/** How a stream begins: nothing yet, text, or a failure with the status it represents. */
export type Beginning = "nothing" | "text" | { readonly status: number };

/**
 * Converts a failure that a stream reports before any text to a response with the failure's status, so
 * that it is retried and named like failures without a stream.
 *
 * @param classify - Classifies the data of one event, which is untrusted.
 * @returns Any other response unchanged, once its first text has arrived.
 */
export async function revealEarlyFailure(
  response: Response,
  classify: (event: unknown) => Beginning,
): Promise<Response> {
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
