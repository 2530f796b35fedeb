import type { FastifyInstance } from "fastify";
import type { Service } from "../service.js";
import { describeApi } from "./openapi.js";

/** Adds `GET /openapi.json`. */
export function addOpenApiRoutes(app: FastifyInstance, { settings }: Service): void {
  let document: object | undefined;
  app.get("/openapi.json", { config: { endpoint: "openapi" } }, () => {
    document ??= describeApi(settings);
    return document;
  });
}
