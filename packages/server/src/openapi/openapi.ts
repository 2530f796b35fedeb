import { errorInfoSchema, responseSchema } from "@constellation/authoring/schemas";
import { releaseVersion } from "@constellation/core/checks";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { askRequestSchema } from "../ask/ask-request.js";
import {
  answerBodySchema,
  forkBodySchema,
  replaySchema,
  runStateSchema,
  waitingListSchema,
} from "../journal/journal.schema.js";
import { librariansSchema, readinessSchema } from "../mesh/mesh.schema.js";
import {
  datasetListSchema,
  datasetPlaceSchema,
  feedbackBodySchema,
  feedbackSchema,
  keptRunSchema,
  runListSchema,
  runStatsSchema,
} from "../runs/run.schema.js";
import type { Service } from "../service.js";
import type { ServerSettings } from "../settings.js";
import {
  threadListSchema,
  threadSchema,
  threadSummarySchema,
  threadTitleSchema,
} from "../threads/thread.schema.js";
import { listOperations, type Operation } from "./operations.js";

/** Adds `GET /openapi.json`. */
export function addOpenApiRoutes(app: FastifyInstance, { settings }: Service): void {
  let document: object | undefined;
  app.get("/openapi.json", { config: { endpoint: "openapi" } }, () => {
    document ??= describeApi(settings);
    return document;
  });
}

/** The description of a server, made from the schemas that check its requests. */
function describeApi(settings: ServerSettings): object {
  const isSecured = (endpoint: Operation["endpoint"]) =>
    settings.auth !== undefined &&
    endpoint !== "public" &&
    (endpoint === undefined || !settings.open.has(endpoint));
  const askRequest = askRequestJson(settings);
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, operation] of Object.entries(listOperations(settings, askRequest.properties))) {
    const [method = "", path = ""] = key.split(" ");
    const described = {
      ...describeOperation(path, operation),
      ...(isSecured(operation.endpoint) && { security: [{ bearer: [] }] }),
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Constellation",
      version: releaseVersion,
      description: "A mesh of librarians: ask it, watch a run, look at what happened.",
    },
    ...(settings.basePath !== "" && { servers: [{ url: settings.basePath }] }),
    paths,
    components: {
      schemas: {
        AskRequest: askRequest,
        ...jsonSchema("Response", responseSchema),
        ...jsonSchema("Failure", z.object({ error: errorInfoSchema })),
        ...jsonSchema("RunList", runListSchema),
        ...jsonSchema("Run", keptRunSchema),
        ...jsonSchema("RunStats", runStatsSchema),
        ...jsonSchema("FeedbackBody", feedbackBodySchema),
        ...jsonSchema("Feedback", feedbackSchema),
        ...jsonSchema("DatasetPlace", datasetPlaceSchema),
        ...jsonSchema("DatasetList", datasetListSchema),
        ...jsonSchema("RunState", runStateSchema),
        ...jsonSchema("WaitingList", waitingListSchema),
        ...jsonSchema("WaitAnswer", answerBodySchema),
        ...jsonSchema("Fork", forkBodySchema),
        ...jsonSchema("Replay", replaySchema),
        ...jsonSchema("ThreadList", threadListSchema),
        ...jsonSchema("Thread", threadSchema),
        ...jsonSchema("ThreadSummary", threadSummarySchema),
        ...jsonSchema("ThreadTitle", threadTitleSchema),
        ...jsonSchema("Librarians", librariansSchema),
        ...jsonSchema("Readiness", readinessSchema),
      },
      ...(settings.auth !== undefined && {
        securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      }),
    },
  };
}

function describeOperation(
  path: string,
  { id, summary, description, parameters = [], body, replies }: Operation,
): object {
  const all = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
  }));
  const described = Object.entries(replies).map(([status, reply]) => [
    status,
    describeReply(Number(status), reply),
  ]);
  const content = typeof body === "string" ? json(body) : body;
  return {
    ...{ operationId: id, summary },
    ...(description !== undefined && { description }),
    ...(all.length + parameters.length > 0 && { parameters: [...all, ...parameters] }),
    ...(content !== undefined && { requestBody: { required: true, content } }),
    responses: Object.fromEntries(described),
  };
}

function describeReply(status: number, reply: Operation["replies"][number]): object {
  if (Array.isArray(reply)) return { description: reply[0], content: json(String(reply[1])) };
  if (typeof reply === "object") return reply;
  return { description: reply, ...(status >= 400 && { content: json("Failure") }) };
}

function json(name: string): object {
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}

/** The body of a question, without the envelope that other meshes add to it. */
function askRequestJson({ limits }: ServerSettings) {
  const { AskRequest } = jsonSchema("AskRequest", askRequestSchema(limits));
  const { properties, ...rest } = AskRequest as { readonly properties: Record<string, object> }; // an object's schema
  const { call: _, ...own } = properties;
  return { ...rest, properties: own };
}

/** A schema under its name, with those it refers to beside it: `#/$defs` would be the document's own. */
function jsonSchema(name: string, schema: z.ZodType): Readonly<Record<string, object>> {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  const { $defs = {}, ...own } = JSON.parse(
    JSON.stringify(whole).replaceAll('"#/$defs/', `"#/components/schemas/${name}.`),
  ) as { readonly $defs?: Readonly<Record<string, object>> }; // a JSON schema
  const others = Object.entries($defs).map(([key, each]) => [`${name}.${key}`, each] as const);
  return { [name]: own, ...Object.fromEntries(others) };
}
