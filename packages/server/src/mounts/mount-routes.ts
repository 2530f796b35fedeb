import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openBody } from "../http/body-writer.js";
import { connectionHeaders } from "../http/in-memory.js";
import { jobOf } from "../http/work.js";
import type { MountHandler } from "../options.js";
import type { Service } from "../service.js";
import { mountsOfLibrarians } from "./librarian-routes.js";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Where an A2A agent has its card. */
const cardPath = "/.well-known/agent-card.json";

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Adds each mount, and each route of a librarian, under its path and everything below it. */
export async function addMounts(app: FastifyInstance, service: Service): Promise<void> {
  const { mounts, services } = service.settings;
  const offered = services ? mountsOfLibrarians(service.router, mounts) : {};
  for (const [path, handler] of Object.entries({ ...offered, ...mounts })) {
    await app.register(async (scope) => {
      // A mount reads bodies itself, of any type; the size limit of the server applies.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
        done(null, body);
      });
      const answer = (request: FastifyRequest, reply: FastifyReply) =>
        serve(service, handler, request, reply);
      const card =
        handler.hasAgentCard === true
          ? `${path.endsWith(cardPath) ? path.slice(0, -cardPath.length) : path}${cardPath}`
          : undefined;
      if (card !== undefined) {
        // The card, and nothing else of the mount, may be readable without a token.
        const config = { isWork: true, endpoint: "card" } as const;
        scope.route({ method: ["GET", "HEAD"], url: card, config, handler: answer });
      }
      for (const url of [path, `${path}/*`]) {
        const method = methods.filter((each) => url !== card || !isRead(each));
        scope.route({ method, url, config: { isWork: true }, handler: answer });
      }
    });
  }
}

async function serve(
  { work, originOf, settings }: Service,
  handler: MountHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const controller = new AbortController();
  const abort = (reason: string) => controller.abort(new DOMException(reason, "AbortError"));
  const place = await work.begin({
    ...jobOf(request, reply),
    cancel: abort,
    isStanding: request.method === "GET",
  });
  const { raw } = reply;
  const onClose = () => {
    if (!raw.writableFinished) abort("The client disconnected.");
  };
  raw.once("close", onClose);
  if (raw.destroyed) onClose();
  try {
    const { id: requestId, user, observed } = request;
    const { waitUntil } = place;
    const forwarded = toWebRequest(
      request,
      originOf(request) + settings.basePath,
      controller.signal,
    );
    const response = await place.within({ user }, () =>
      handler(forwarded, { user, observed, requestId, waitUntil }),
    );
    await send(reply, response, settings.limits.stallMs, abort, controller.signal);
  } finally {
    raw.off("close", onClose);
    place.leave();
  }
}

/** @param base - Origin and base path of the server. */
function toWebRequest(
  request: FastifyRequest,
  base: string,
  signal: AbortSignal,
): globalThis.Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, each);
  }
  // A mount gets the user, not the token, and so cannot leak it.
  headers.delete("authorization");
  const { method, body } = request;
  const hasBody = method !== "GET" && method !== "HEAD" && Buffer.isBuffer(body);
  return new Request(`${base}${request.url}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: new Uint8Array(body) }),
  });
}

async function send(
  reply: FastifyReply,
  response: globalThis.Response,
  stallMs: number,
  abort: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, value] of response.headers) {
    if (!connectionHeaders.has(name)) reply.header(name, value);
  }
  reply.hijack();
  reply.raw.writeHead(response.status, reply.getHeaders() as Record<string, string>); // only strings were set
  const body = openBody(reply.raw, stallMs, () => abort("The client disconnected."));
  const source = response.body === null ? undefined : Readable.fromWeb(response.body as never); // the two types of one standard
  const onAbort = () => source?.destroy();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  source?.on("error", () => undefined); // a source that fails ends the body; its message is not sent
  try {
    for await (const piece of source ?? []) {
      if (!(await body.write(piece as Uint8Array))) break;
    }
  } catch {
    reply.raw.destroy(); // half a body must not look like a whole one
  } finally {
    signal.removeEventListener("abort", onAbort);
    source?.destroy();
    body.end();
  }
}
