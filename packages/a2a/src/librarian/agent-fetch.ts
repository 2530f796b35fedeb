import { readBodyBounded } from "@constellation/authoring";
import { MeshError } from "@constellation/core";

/** Options of {@link createAgentFetch}. */
export interface AgentFetchOptions {
  /** Origins that requests and their headers may be sent to. */
  readonly origins: ReadonlySet<string>;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum size of a reply, in bytes. */
  readonly maxBytes: number;
}

/**
 * Makes the `fetch` for one agent. It sends requests to the agent's own origins only, follows no
 * redirect, reads a bounded reply as a whole, and fails with a MeshError that holds no text of the
 * agent.
 */
export function createAgentFetch({ origins, headers, maxBytes }: AgentFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!origins.has(url.origin)) {
      throw new MeshError(
        "DATA_SOURCE_ERROR",
        "The agent's card names an origin that is not allowed.",
        {
          suggestion: "If the origin is correct, add it to the librarian's allowedOrigins.",
          details: { origin: url.origin },
        },
      );
    }
    const all = new Headers(headers);
    for (const [name, value] of new Headers(init.headers)) all.set(name, value);
    const response = await send(url, { ...init, headers: all, redirect: "manual" });
    const { status, statusText } = response;
    const body = await readBounded(response, maxBytes);
    if (!response.ok && !isRpcError(body)) throw statusError(status);
    return new Response(status === 204 ? null : body, {
      status,
      statusText,
      headers: response.headers,
    });
  };
}

async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw lost(cause);
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const body = await readBodyBounded(response, maxBytes).catch((cause: unknown) => {
    throw lost(cause);
  });
  if (body !== undefined) return body.toString("utf8");
  throw new MeshError("DATA_SOURCE_ERROR", "The agent's reply is too large.", {
    reason: "invalid-response",
  });
}

function lost(cause: unknown): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The agent cannot be reached, or was lost.", {
    reason: "remote-lost",
    suggestion: "Check that the agent runs, and check its address.",
    cause,
  });
}

/** Whether a reply with a failing status holds a JSON-RPC error. */
function isRpcError(body: string): boolean {
  try {
    const reply: unknown = JSON.parse(body);
    return typeof reply === "object" && reply !== null && "jsonrpc" in reply && "error" in reply;
  } catch {
    return false;
  }
}

function statusError(status: number): MeshError {
  if (status === 401 || status === 403) {
    return new MeshError("UNAUTHORIZED", "The agent rejected the credentials.", {
      reason: "not-allowed",
      suggestion: "Check the credentials in the librarian's headers.",
    });
  }
  if (status === 429) {
    return new MeshError("RATE_LIMITED", "The agent rejected the request: too many requests.");
  }
  if (status === 502 || status === 503 || status === 504) {
    return new MeshError("SERVICE_UNAVAILABLE", `The agent is not available (${status}).`);
  }
  return new MeshError("DATA_SOURCE_ERROR", `The agent answered with HTTP status ${status}.`);
}
