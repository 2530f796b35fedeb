import { Readable } from "node:stream";
import { errorCodes, type Response, type Router, type Run } from "@constellation/core";
import { createHandler } from "@constellation/server";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";

/** What is asked: text with bounds, so that fastify refuses the rest with status 400. */
const askSchema = {
  type: "object",
  required: ["query"],
  additionalProperties: false,
  properties: { query: { type: "string", minLength: 1, maxLength: 2_000 } },
} as const;

interface Question {
  readonly query: string;
}

/**
 * A web service with a mesh inside: `POST /ask` answers with a response as JSON, `GET /ask?query=`
 * streams what happens and then the response. A client that disconnects ends its run. Everything that
 * `constellation serve` serves, the console page too, is under `/mesh`.
 *
 * @param router - Closed when the service is.
 */
export function createService(router: Router): FastifyInstance {
  const service = fastify({ bodyLimit: 16_384 });
  const mesh = createHandler(router, { basePath: "/mesh", allowAnonymous: true });
  service.addHook("preClose", async () => {
    await Promise.all([mesh.close(), router.close()]); // runs end, and their replies with them
    // A connection that stays open, such as one that never carried a request, delays no shutdown for long.
    setTimeout(() => service.server.closeAllConnections(), 1_000).unref();
  });

  service.post<{ Body: Question }>(
    "/ask",
    { schema: { body: askSchema } },
    async (request, reply) => {
      const run = router.start(request.body.query);
      cancelOnDisconnect(run, reply);
      const response = await run.response;
      return reply.code(statusOf(response)).send(response);
    },
  );

  service.get<{ Querystring: Question }>(
    "/ask",
    { schema: { querystring: askSchema } },
    (request, reply) => {
      const run = router.start(request.query.query);
      cancelOnDisconnect(run, reply);
      return reply
        .headers({ "content-type": "text/event-stream", "cache-control": "no-store" })
        .send(Readable.from(serverSentEvents(run), { objectMode: false }));
    },
  );

  service.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null)); // the mesh reads it
    const listener = mesh.nodeListener();
    const answer = (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    };
    scope.all("/mesh", answer);
    scope.all("/mesh/*", answer);
  });
  return service;
}

/** When the connection is gone, so is who waits. After the end of a run it does nothing. */
function cancelOnDisconnect(run: Run, reply: FastifyReply): void {
  reply.raw.once("close", () => run.cancel("the client left"));
}

function statusOf({ answer, error }: Response): number {
  return answer === undefined && error !== undefined ? errorCodes[error.code].httpStatus : 200;
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* serverSentEvents(run: Run): AsyncGenerator<string> {
  for await (const event of run.events) {
    if (event.type === "hop:start") yield toEvent("hop", { to: event.to, reason: event.reason });
    if (event.type === "hop:progress") {
      yield toEvent("progress", { to: event.to, ...event.progress });
    }
  }
  yield toEvent("response", await run.response);
}

function toEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
