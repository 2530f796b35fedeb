import { type CallScope, callScope } from "./call-scope.js";
import { ReplyTooLarge } from "./failure.js";

/** Bounds of {@link createBoundedFetch}. */
export interface FetchBounds {
  /** Maximum size of a reply, in bytes. */
  readonly maxBytes: number;
  /** Maximum time for a request other than a tool call, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends every request. */
  readonly signal: AbortSignal;
}

/** Maximum wait of a call for a result at the very end of its stream, in milliseconds. */
const graceMs = 250;

/**
 * Makes a `fetch` for one connection to an MCP server: replies have a bound, every request ends with
 * its call, the connection or its time, and a call whose stream breaks fails at once.
 *
 * It listens to signals itself, because the SDK passes one made by `AbortSignal.any`, which may
 * never fire on Node.js 20.
 */
export function createBoundedFetch({ maxBytes, timeoutMs, signal }: FetchBounds): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (init.method === "GET" && !headers.has("last-event-id")) {
      // The stream for messages of the server's own, which this client does not read.
      return new Response(null, { status: 405 });
    }
    const call = isToolCall(init.body) ? callScope.getStore() : undefined;
    const controller = new AbortController();
    const stop = () => controller.abort();
    const sources = [signal, init.signal, call?.signal].filter((each) => each != null);
    for (const source of sources) source.addEventListener("abort", stop, { once: true });
    if (sources.some(({ aborted }) => aborted)) stop();
    const timer = call === undefined ? setTimeout(stop, timeoutMs) : undefined;
    const release = () => {
      clearTimeout(timer);
      for (const source of sources) source.removeEventListener("abort", stop);
    };
    try {
      const response = await fetch(input, { ...init, signal: controller.signal });
      return bounded(response, maxBytes, (error, isResumable) => {
        release();
        if (error !== undefined) stop();
        if (call === undefined || isResumable) return;
        const failure = error ?? new TypeError("the stream ended without a result");
        if (error instanceof ReplyTooLarge) call.fail(failure);
        else failSoon(call, failure);
      });
    } catch (thrown) {
      release();
      throw thrown;
    }
  };
}

/** Waits until a result that has just arrived was read. */
function failSoon(call: CallScope, failure: unknown): void {
  if (call.signal.aborted) return;
  const timer = setTimeout(() => call.fail(failure), graceMs);
  call.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}

/** The same response, whose body ends with an error when it is too large. */
function bounded(
  response: Response,
  maxBytes: number,
  ended: (error: unknown, isResumable: boolean) => void,
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    ended(undefined, true);
    return response;
  }
  const reader = body.getReader();
  let bytes = 0;
  let isResumable = false;
  const counted = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) {
          ended(undefined, isResumable);
          controller.close();
          return;
        }
        // A stream that can be resumed has an id in its first event.
        if (bytes === 0) isResumable = /^id:/m.test(Buffer.from(value).toString("latin1"));
        bytes += value.byteLength;
        if (bytes > maxBytes) throw new ReplyTooLarge(`more than ${maxBytes} bytes`);
        controller.enqueue(value);
      } catch (thrown) {
        ended(thrown, isResumable && !(thrown instanceof ReplyTooLarge));
        controller.error(thrown);
      }
    },
    async cancel(reason) {
      ended(undefined, true);
      await reader.cancel(reason);
    },
  });
  return new Response(counted, { status, statusText, headers });
}

function isToolCall(body: unknown): boolean {
  return typeof body === "string" && body.includes('"method":"tools/call"');
}
