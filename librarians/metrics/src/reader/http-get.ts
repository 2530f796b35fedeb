import { readBodyBounded, sanitizeText } from "@constellation/authoring";
import { MeshError, throwIfAborted } from "@constellation/core";

/** Limits and credentials of one GET. */
export interface GetOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum size of the body in bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Status and body of an answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Reads a URL with GET. Redirects are not followed, since they could carry the credentials away.
 *
 * @throws MeshError `TIMEOUT` on abort, else `DATA_SOURCE_ERROR`, which names the failure and
 *   contains no credentials.
 */
export async function httpGet(url: URL, options: GetOptions): Promise<HttpAnswer> {
  const { headers, maxBytes, signal } = options;
  throwIfAborted(signal);
  try {
    const answer = await fetch(url, { headers, redirect: "manual", signal: signal ?? null });
    const body = await readBody(answer, maxBytes, url);
    if (answer.status >= 300 && answer.status < 400) {
      throw failure(url, `redirects (status ${answer.status})`, "Give the URL it redirects to.");
    }
    return { status: answer.status, body };
  } catch (thrown) {
    throwIfAborted(signal);
    if (thrown instanceof MeshError) throw thrown;
    throw failure(url, describeFailure(thrown), undefined, thrown);
  }
}

async function readBody(answer: Response, maxBytes: number, url: URL): Promise<string> {
  const body = await readBodyBounded(answer, maxBytes);
  if (body !== undefined) return body.toString("utf8");
  throw failure(
    url,
    `sent more than ${maxBytes} bytes`,
    "Ask about fewer series, or raise maxResponseBytes.",
  );
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection",
  ENOTFOUND: "has a host name that does not resolve",
  EAI_AGAIN: "has a host name that does not resolve now",
  ETIMEDOUT: "did not accept the connection in time",
  UND_ERR_CONNECT_TIMEOUT: "did not accept the connection in time",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a certificate that is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "has a certificate that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "has a certificate that is not trusted",
  CERT_HAS_EXPIRED: "has a certificate that has expired",
};

/** Describes the error that fetch reports in `cause`. */
function describeFailure(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return (
    reasons[code] ?? `failed${code === "" ? "" : ` (${sanitizeText(code, { maxLength: 60 })})`}`
  );
}

function failure(url: URL, problem: string, suggestion?: string, cause?: unknown): MeshError {
  return new MeshError("DATA_SOURCE_ERROR", `Prometheus at ${url.origin} ${problem}.`, {
    ...(suggestion !== undefined && { suggestion }),
    cause,
  });
}
