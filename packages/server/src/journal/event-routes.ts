import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Problem, problemFrom } from "../http/problem.js";
import type { Service } from "../service.js";
import { requireJournal } from "./journal-routes.js";
import { signWebhook } from "./webhooks.js";

/** How far the clock of the sender may be off, in seconds. Source: Standard Webhooks, "Verifying webhook authenticity". */
const maxClockDriftS = 300;

/** The user of signed events: `by` of a wait may name this id. */
const webhookUser = { id: "webhook" };

/**
 * Adds `POST /runs/:id/events/:name`: an event that a run waits for (`context.waitFor`), from a system that signs it
 * and has no token. Repeats of a delivery do no harm: the first one counts.
 */
export async function addEventRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { router, settings } = service;
  const { webhooks } = settings;
  if (webhooks === undefined || settings.journal === undefined) return;
  await app.register(async (scope) => {
    // The signature is of the body as it was sent.
    scope.removeContentTypeParser("application/json");
    scope.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { id: string; name: string }; Body: string }>(
      "/runs/:id/events/:name",
      { config: { isPublic: true } },
      async (request, reply) => {
        const { id: runId, name } = request.params;
        assertSigned(webhooks.secret, request.headers, request.body);
        const waiting = await requireJournal(service).waiting({ runId });
        const wait = waiting.find(({ kind, what }) => kind === "event" && what === name);
        if (wait === undefined) {
          throw new Problem(404, "NOT_FOUND", "The run does not wait for this event.", {
            suggestion: "The event was already received, or has expired. Do not send it again.",
          });
        }
        try {
          const value = readJson(request.body);
          await router.resume(runId, { id: wait.id, value, user: webhookUser });
        } catch (thrown) {
          throw problemFrom(thrown);
        }
        return reply.code(202).send({ runId, status: "running" });
      },
    );
  });
}

/** @throws Problem 401 for what was not signed with the secret, or too long ago. */
function assertSigned(
  secret: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: unknown,
): asserts body is string {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`] ?? ""),
  );
  const sentAt = /^\d{1,12}$/.test(timestamp ?? "") ? Number(timestamp) : Number.NaN;
  const isRecent = Math.abs(Date.now() / 1_000 - sentAt) <= maxClockDriftS;
  const expected = signWebhook(secret, id ?? "", timestamp ?? "", String(body));
  const isSigned = (signatures ?? "").split(" ").some((each) => isEqual(each, `v1,${expected}`));
  if (typeof body === "string" && id !== "" && isRecent && isSigned) return;
  throw new Problem(401, "UNAUTHORIZED", "The signature is not valid, or too old.", {
    suggestion:
      "Sign `id.timestamp.body` with the secret of `webhooks`, as defined by Standard Webhooks.",
  });
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** @throws Problem 400 for what is not JSON. */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Problem(400, "INVALID_QUERY", "body: expected JSON.");
  }
}
