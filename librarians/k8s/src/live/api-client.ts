import { pause } from "@constellation/authoring";
import { withDeadline } from "@constellation/core";
import type { Identity, ReadProblem } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import { problem } from "./answer-problem.js";
import type { Connection } from "./connect.js";
import { openDeadline, type ReadDeadline } from "./deadline.js";
import { type HttpAnswer, httpGet } from "./http-get.js";
import type { LiveReaderBounds } from "./options.js";

/** One request. */
export interface ApiRequest {
  /** Below the server, beginning with `/`. Every name in it is encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** What is asked for, for problems. */
  readonly subject: string;
  readonly maxBytes: number;
}

/** An answer of any status, or the problem. */
export type ApiAnswer = { readonly answer: HttpAnswer } | { readonly problem: ReadProblem };

/** Asks an API server, with GET only. */
export interface ApiClient {
  /** Answers any status; waits and asks again while the server is too busy and the deadline allows. */
  get(request: ApiRequest, deadline: ReadDeadline): Promise<ApiAnswer>;
  /** The server, when it is known already. */
  server(): URL | undefined;
  /** Namespace of the context, when it is known already. */
  namespace(): string | undefined;
  /** Ends what is under way. */
  close(): void;
  /** Aborts with {@link close}. */
  readonly closed: AbortSignal;
}

/** Waits without `Retry-After`, in milliseconds, before asking a busy server again. */
const busyPauseMs = 500;
/** Maximum number of attempts: asking a busy server more often does not help. */
const maxAttempts = 5;

export function createApiClient(
  connect: () => Promise<Connection>,
  bounds: LiveReaderBounds,
): ApiClient & { as(identity: Identity): ApiClient } {
  const closing = new AbortController();
  let connecting: Promise<Connection> | undefined;
  let connection: Connection | undefined;

  async function connected(): Promise<Connection> {
    connecting ??= connect();
    try {
      connection = await connecting;
      return connection;
    } catch (thrown) {
      connecting = undefined;
      throw thrown;
    }
  }

  async function ask(
    request: ApiRequest,
    identity: Identity | undefined,
    parent: AbortSignal,
    again: boolean,
  ): Promise<HttpAnswer> {
    // Loading the library and running a plugin are not part of the request, but of the read.
    const { server, authorize } = await withDeadline({ signal: parent }, () => usable(connected()));
    const settings = await withDeadline({ signal: parent }, () => usable(authorize(again)));
    const deadline = openDeadline(bounds.requestTimeoutMs, [parent]);
    try {
      const headers = {
        ...pickHeaders(settings.headers),
        accept: "application/json",
        "user-agent": "constellation-librarian-k8s",
        ...(identity !== undefined && {
          "impersonate-user": identity.user,
          ...(identity.groups !== undefined && { "impersonate-group": [...identity.groups] }),
        }),
      };
      const answer = await httpGet(createUrl(server, request), {
        request: { ...settings, headers },
        signal: deadline.signal,
        maxBytes: request.maxBytes,
      });
      if (answer.status !== 401 || again) return answer;
    } finally {
      deadline.close();
    }
    return ask(request, identity, parent, true);
  }

  function clientAs(identity: Identity | undefined): ApiClient {
    return {
      async get(request, deadline) {
        try {
          for (let attempt = 1; ; attempt++) {
            const answer = await ask(request, identity, deadline.signal, false);
            const wait = getRetryDelay(answer);
            const isLate = wait !== undefined && Date.now() + wait >= deadline.at;
            if (wait === undefined || isLate || attempt >= maxAttempts) return { answer };
            await pause(wait, deadline.signal);
          }
        } catch (thrown) {
          if (isAbort(thrown) || deadline.signal.aborted) {
            return { problem: problem("timeout", request.subject) };
          }
          return { problem: describeFailure(thrown, request.subject) };
        }
      },
      server: () => connection?.server,
      namespace: () => connection?.namespace,
      close: () => closing.abort(),
      closed: closing.signal,
    };
  }

  return { ...clientAs(undefined), as: clientAs };
}

/** Converts an error that occurred before any request: no library, no cluster, no credentials. */
class UnusableConfiguration extends Error {}

async function usable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    throw new UnusableConfiguration("unusable configuration", { cause: thrown });
  }
}

/** What each kind of failed connection means, and what to do: by the code of the system or of TLS. */
const connectionFailures: readonly (readonly [RegExp, string])[] = [
  [
    /^ECONNREFUSED$/,
    "The connection to the API server was refused. Check that it runs, and the server's address in the kubeconfig.",
  ],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    "The host name of the API server does not resolve. Check the server's address in the kubeconfig.",
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_TLS|^ERR_SSL/,
    "The certificate of the API server is not trusted. Check `certificate-authority` in the kubeconfig.",
  ],
];

function describeFailure(thrown: unknown, subject: string): ReadProblem {
  if (thrown instanceof UnusableConfiguration) return unusableProblem(thrown.cause, subject);
  const failure = textAt(thrown, "code") ?? "";
  const message = connectionFailures.find(([form]) => form.test(failure))?.[1];
  return message === undefined
    ? problem("unavailable", subject)
    : { code: "unavailable", subject, message };
}

function unusableProblem(cause: unknown, subject: string): ReadProblem {
  const failure = textAt(cause, "code");
  const message =
    failure === "ERR_MODULE_NOT_FOUND"
      ? "Reading a live cluster needs @kubernetes/client-node. Install it beside this librarian."
      : failure === "ENOENT"
        ? "The kubeconfig does not exist. Set `KUBECONFIG` or the option `kubeconfig`."
        : "No cluster is configured, or its configuration or credentials cannot be used. Check the kubeconfig, its context and its credentials plugin.";
  return { code: "unavailable", subject, message };
}

/** Milliseconds to wait before asking again; undefined for an answer that stands. */
function getRetryDelay(answer: HttpAnswer): number | undefined {
  const { status, retryAfterSeconds } = answer;
  if (status === 429) {
    return retryAfterSeconds === undefined ? busyPauseMs : retryAfterSeconds * 1_000;
  }
  return status === 503 && retryAfterSeconds !== undefined ? retryAfterSeconds * 1_000 : undefined;
}

function createUrl(server: URL, { path, query = {} }: ApiRequest): URL {
  const url = new URL(server);
  url.pathname = `${server.pathname.endsWith("/") ? server.pathname.slice(0, -1) : server.pathname}${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** The library sets headers as an object; anything else would be a list, which it never is. */
function pickHeaders(headers: unknown): Record<string, string> {
  const entries = Object.entries(headers ?? {}).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries);
}

function isAbort(thrown: unknown): boolean {
  return (
    thrown instanceof Error && (thrown.name === "AbortError" || thrown.name === "TimeoutError")
  );
}
