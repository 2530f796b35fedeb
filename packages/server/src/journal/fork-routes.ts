import { randomUUID } from "node:crypto";
import { replayRun } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../http/problem.js";
import type { Service } from "../service.js";
import { forkBodySchema } from "./journal.schema.js";
import {
  problemFrom,
  type RunRequest,
  readBody,
  readOwnRun,
  requireJournal,
} from "./journal-routes.js";

/** Adds the routes that repeat a journaled run: a replay without calls, and a fork at a hop. */
export function addForkRoutes(app: FastifyInstance, service: Service): void {
  const { router, work } = service;
  const config = { isWork: true };

  /** Does work whose runs belong to the user of the request. */
  async function withPlace<Result>(
    request: FastifyRequest<RunRequest>,
    reply: FastifyReply,
    does: () => Promise<Result>,
  ): Promise<Result> {
    const { user, ip } = request;
    const place = await work.begin({
      cancel: () => undefined,
      owner: { userId: user?.id, address: ip },
      response: reply.raw,
    });
    try {
      return await place.within({ user }, does);
    } catch (thrown) {
      throw problemFrom(thrown);
    } finally {
      place.leave();
    }
  }

  app.post<RunRequest>("/runs/:id/replay", { config }, async (request, reply) => {
    const { id } = await readOwnRun(service, request);
    const replayed = await withPlace(request, reply, async () => {
      const saved = await requireJournal(service).save(id);
      const run = replayRun(router, { ...saved, id: randomUUID() }); // kept beside the first one
      const response = await run.response;
      return { runId: run.id, response, run: run.explain() };
    });
    return createLibrarianFilter(router, request.user).apply(replayed);
  });

  app.post<RunRequest>("/runs/:id/fork", { config }, async (request, reply) => {
    const { id, user: owner } = await readOwnRun(service, request);
    const { user } = request;
    if (service.settings.hasUsers && owner !== user?.id) {
      throw new Problem(403, "UNAUTHORIZED", "Only its own user may fork a run.", {
        suggestion: "It asks on that user's behalf: ask the question yourself.",
        details: { reason: "not-allowed" },
      });
    }
    const { at, query } = readBody(forkBodySchema, request.body);
    const fork = await withPlace(request, reply, () =>
      requireJournal(service).fork(id, at, { query }),
    );
    request.runId = fork.id;
    return reply.code(202).send({ runId: fork.id, status: "running" });
  });
}
