import { randomUUID } from "node:crypto";
import { replayRun } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import { Problem } from "../http/problem.js";
import { readBody } from "../http/read-request.js";
import type { Service } from "../service.js";
import { forkBodySchema } from "./journal.schema.js";
import { type RunRequest, readOwnRun, requireJournal, withPlace } from "./journal-routes.js";

/** Adds the routes that repeat a journaled run: a replay without calls, and a fork at a hop. */
export function addForkRoutes(app: FastifyInstance, service: Service): void {
  const { router } = service;
  const config = { isWork: true };

  app.post<RunRequest>("/runs/:id/replay", { config }, async (request, reply) => {
    const { id } = await readOwnRun(service, request);
    const { user } = request;
    const replayed = await withPlace(service, request, reply, { user }, async () => {
      const saved = await requireJournal(service).save(id);
      const run = replayRun(router, { ...saved, id: randomUUID() }); // kept beside the first one
      const response = await run.response;
      return { runId: run.id, response, run: run.explain() };
    });
    return createLibrarianFilter(router, user).apply(replayed);
  });

  app.post<RunRequest>("/runs/:id/fork", { config }, async (request, reply) => {
    const { id, user: owner } = await readOwnRun(service, request);
    const { user } = request;
    if (service.settings.hasUsers && owner !== user?.id) {
      throw new Problem(403, "UNAUTHORIZED", "Only the user of a run may fork it.", {
        suggestion: "A fork runs with that user's rights. Ask the question yourself instead.",
        details: { reason: "not-allowed" },
      });
    }
    const { at, query } = readBody(forkBodySchema, request.body);
    const fork = await withPlace(service, request, reply, { user }, () =>
      requireJournal(service).fork(id, at, { query }),
    );
    request.runId = fork.id;
    return reply.code(202).send({ runId: fork.id, status: "running" });
  });
}
