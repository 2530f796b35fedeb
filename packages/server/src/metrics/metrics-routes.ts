import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import type { Service } from "../service.js";

/** Adds `GET /metrics`: for librarians that the reader may ask. */
export function addMetricsRoutes(app: FastifyInstance, { router, metrics }: Service): void {
  app.get(
    "/metrics",
    { config: { endpoint: "metrics", isUncounted: true } },
    async ({ user }, reply) => {
      const { hidden } = createLibrarianFilter(router, user);
      const { text, contentType } = await metrics.print(hidden);
      return reply.type(contentType).send(text);
    },
  );
}
