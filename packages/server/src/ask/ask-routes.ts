import { replyTo } from "@constellation/transport/envelope";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openBody } from "../http/body-writer.js";
import { plainJson } from "../http/plain-json.js";
import { Problem, wrongField } from "../http/problem.js";
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
  app.post("/ask", { config }, (request, reply) => {
    const ask = readAsk(schema, request.body);
    const isInBackground = ask.background === true || ask.webhook !== undefined;
    return isInBackground
      ? startInBackground(service, request, reply, ask)
      : answer(service, request, reply, ask);
  });
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
  const { run, requestId, filter, end } = await startAsk(service, request, reply, ask);
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
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(plainJson(filter.apply(body)));
}

/** Longest time for a run to be in the journal, in milliseconds: from then on it survives this process. */
const recordMs = 5_000;

/** Answers once the run is in the journal. */
async function startInBackground(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: AskRequest,
): Promise<FastifyReply> {
  const { settings, webhooks } = service;
  const { webhook } = ask;
  if (settings.journal === undefined) {
    throw wrongField("background", "the server has no journal");
  }
  if (ask.background !== true) throw wrongField("webhook", "needs `background: true`");
  const refusal = webhook === undefined ? undefined : webhookRefusal(service, webhook);
  if (refusal !== undefined) throw wrongField("webhook", refusal);
  const { run, end } = await startAsk(service, request, reply, ask);
  try {
    const { store } = settings.journal;
    const until = Date.now() + recordMs;
    let stored = await store.readRun(run.id);
    while (stored === undefined && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      stored = await store.readRun(run.id);
    }
    if (stored === undefined) throw new Error("The run is not in the journal.");
    if (webhook !== undefined) await webhooks?.add({ runId: run.id, user: stored.user }, webhook);
    end(202);
    const location = `${settings.basePath}/runs/${run.id}`;
    return reply
      .code(202)
      .header("location", location)
      .send({ runId: run.id, status: stored.status });
  } catch {
    run.cancel("It cannot be journaled.");
    end(503);
    throw new Problem(503, "SERVICE_UNAVAILABLE", "The run cannot be journaled now.", {
      suggestion: "Ask again later, or without `background`.",
      headers: { "retry-after": "5" },
    });
  }
}

function webhookRefusal({ webhooks }: Service, url: string): string | undefined {
  return webhooks === undefined ? "the server has no `webhooks`" : webhooks.refuse(url);
}

async function stream(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: AskRequest,
): Promise<void> {
  const { heartbeatMs, stallMs } = service.settings.limits;
  const { run, traceId, filter, end } = await startAsk(service, request, reply, ask);
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
      isThere = await body.write(serverSentEvent(event.type, filter.apply(publicEvent(event))));
    }
    const response = await run.response;
    const shown = { status: statusOf(response), response: filter.apply(response) };
    await body.write(serverSentEvent("response", shown));
  } finally {
    clearInterval(beat);
    body.end();
    end(200);
  }
}
