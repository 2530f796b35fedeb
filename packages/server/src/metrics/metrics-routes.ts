import type { FastifyInstance } from "fastify";
import type { Service } from "../service.js";

/** Adds `GET /metrics`. */
export function addMetricsRoutes(app: FastifyInstance, { metrics }: Service): void {
  app.get(
    "/metrics",
    { config: { endpoint: "metrics", isUncounted: true } },
    async (_request, reply) => {
      const { text, contentType } = await metrics.print();
      return reply.type(contentType).send(text);
    },
  );
}
