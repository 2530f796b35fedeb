import type { ThreadSummary, Threads } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import { problemFrom } from "../http/problem.js";
import { readBody, readInteger } from "../http/read-request.js";
import { requireJournal } from "../journal/journal-routes.js";
import type { Service } from "../service.js";
import { threadTitleSchema } from "./thread.schema.js";

interface ThreadRequest {
  Params: { id: string };
}

interface ListRequest {
  Querystring: { limit?: string; before?: string };
}

/** Adds `/threads`: those of the user of the request. Another user's is not found. */
export function addThreadRoutes(app: FastifyInstance, service: Service): void {
  async function perform<Result>(work: (threads: Threads) => Promise<Result>): Promise<Result> {
    try {
      return await work(requireJournal(service).threads);
    } catch (thrown) {
      throw problemFrom(thrown);
    }
  }

  app.get<ListRequest>("/threads", async ({ query, user }) => {
    const limit = readInteger("limit", query.limit ?? "50", 1, 200);
    const before = query.before && readInteger("before", query.before, 0, 1e15);
    const filter = { limit, ...(typeof before === "number" && { before }) };
    const threads = await perform((kept) => kept.list(user, filter));
    return { threads: threads.map(withoutUser) };
  });

  app.get<ThreadRequest>("/threads/:id", async ({ params, user }) => {
    const thread = await perform((kept) => kept.read(params.id, user));
    const filter = createLibrarianFilter(service.router, user);
    const turns = thread.turns.map(({ librarians: to, ...turn }) => ({
      ...turn,
      librarians: filter.apply({ to }).to,
    }));
    return { ...withoutUser(thread), turns };
  });

  app.patch<ThreadRequest>("/threads/:id", async ({ params, user, body }) => {
    const { title } = readBody(threadTitleSchema, body);
    return withoutUser(await perform((kept) => kept.rename(params.id, title, user)));
  });

  app.delete<ThreadRequest>("/threads/:id", async ({ params, user }, reply) => {
    await perform((kept) => kept.delete(params.id, user));
    return reply.code(204).send();
  });
}

function withoutUser({ id, title, createdAt, updatedAt }: ThreadSummary) {
  return { id, title, createdAt, updatedAt };
}
