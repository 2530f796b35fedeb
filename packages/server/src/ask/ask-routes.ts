import { replyTo } from "@constellation/transport/envelope";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { plainJson } from "../http/plain-json.js";
import { Problem, wrongField } from "../http/problem.js";
import type { Service } from "../service.js";
import { toHttpStatus } from "../streams/streamed-run.js";
import { type AskRequest, askRequestSchema, noJournal, readAsk } from "./ask-request.js";
import { startAsk } from "./started-run.js";
import { addStreamRoutes, formatHeader } from "./stream-routes.js";

/** Longest `retry-after` that is sent to a caller: a day. */
const maxRetryAfterMs = 86_400_000;

/** Adds `POST /ask`, and the routes that stream. */
export function addAskRoutes(app: FastifyInstance, service: Service): void {
  const schema = askRequestSchema(service.settings.limits);
  const streamOf = addStreamRoutes(app, service, schema);
  app.post("/ask", { config: { isWork: true } }, (request, reply) => {
    const stream = streamOf(request.headers[formatHeader]);
    if (stream !== undefined) return stream(request, reply);
    const ask = readAsk(schema, request.body);
    const isInBackground = ask.background === true || ask.webhook !== undefined;
    return isInBackground
      ? startInBackground(service, request, reply, ask)
      : answer(service, request, reply, ask);
  });
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
  const status = toHttpStatus(response);
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

/** Maximum time for a run to reach the journal, in milliseconds. From then on it survives this process. */
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
  if (settings.journal === undefined) throw noJournal();
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
