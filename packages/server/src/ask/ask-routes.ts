import { replyTo } from "@constellation/core/envelope";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openBody } from "../http/body-writer.js";
import { plainJson } from "../http/plain-json.js";
import type { Service } from "../service.js";
import { type AskRequest, askRequestSchema, readAsk, readAskParameters } from "./ask-request.js";
import { heartbeat, publicEvent, serverSentEvent } from "./server-sent-event.js";
import { startAsk, statusOf } from "./started-run.js";

/** Longest `retry-after` that is sent to a caller: a day. */
const maxRetryAfterMs = 86_400_000;

/** Adds `POST /ask`, and `/ask/stream` by GET and POST. */
export function addAskRoutes(app: FastifyInstance, service: Service): void {
  const schema = askRequestSchema(service.settings.limits);
  const config = { isWork: true };
  app.post("/ask", { config }, (request, reply) =>
    answer(service, request, reply, readAsk(schema, request.body)),
  );
  app.post("/ask/stream", { config }, (request, reply) =>
    stream(service, request, reply, readAsk(schema, request.body)),
  );
  app.get("/ask/stream", { config }, (request, reply) =>
    stream(service, request, reply, readAskParameters(schema, request.query)),
  );
}

async function answer(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: AskRequest,
): Promise<FastifyReply> {
  const { run, requestId, end } = startAsk(service, request, reply, ask);
  const onClose = () => {
    if (!reply.raw.writableFinished) run.cancel("The client disconnected.");
  };
  reply.raw.once("close", onClose);
  if (reply.raw.destroyed) onClose();
  const response = await run.response;
  const status = statusOf(response);
  end(status);
  const retryAfterMs = response.answer === undefined && response.error?.details?.retryAfterMs;
  if (typeof retryAfterMs === "number" && retryAfterMs > 0 && retryAfterMs < maxRetryAfterMs) {
    reply.header("retry-after", String(Math.ceil(retryAfterMs / 1_000)));
  }
  const isForMesh = request.headers["constellation-envelope"] === "1";
  const body = isForMesh ? await replyTo(run, requestId) : response;
  return reply.code(status).type("application/json; charset=utf-8").send(plainJson(body));
}

async function stream(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: AskRequest,
): Promise<void> {
  const { heartbeatMs, stallMs } = service.settings.limits;
  const { run, traceId, end } = startAsk(service, request, reply, ask);
  const { raw } = reply;
  reply.header("content-type", "text/event-stream; charset=utf-8");
  reply.header("x-accel-buffering", "no"); // a proxy in between must not collect
  if (service.work.isDraining) reply.header("connection", "close");
  reply.hijack();
  raw.writeHead(200, reply.getHeaders() as Record<string, string>); // only strings were set
  const body = openBody(raw, stallMs, () => run.cancel("The client disconnected."));
  const beat = setInterval(() => body.writeIfIdle(heartbeat), heartbeatMs);
  try {
    let isThere = await body.write(serverSentEvent("run", { runId: run.id, traceId }));
    for await (const event of run.events) {
      if (!isThere) break;
      isThere = await body.write(serverSentEvent(event.type, publicEvent(event)));
    }
    const response = await run.response;
    await body.write(serverSentEvent("response", { status: statusOf(response), response }));
  } finally {
    clearInterval(beat);
    body.end();
    end(200);
  }
}
