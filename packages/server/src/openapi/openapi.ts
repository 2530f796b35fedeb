import { errorCodes, mergeStrategyNames } from "@constellation/core";
import { errorInfoSchema, responseSchema } from "@constellation/core/schemas";
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
import type { endpointNames } from "../options.js";
import { statsGroups } from "../runs/count-runs.js";
import {
  datasetListSchema,
  datasetPlaceSchema,
  feedbackBodySchema,
  feedbackSchema,
  keptRunSchema,
  runListSchema,
  runStatsSchema,
} from "../runs/run.schema.js";
import { outcomes } from "../runs/run-routes.js";
import type { ServerSettings } from "../settings.js";
import {
  threadListSchema,
  threadSchema,
  threadSummarySchema,
  threadTitleSchema,
} from "../threads/thread.schema.js";

/** Version of the package, in the document. A test holds it equal to package.json. */
export const documentVersion = "0.1.0";

/** The description of a server, made from the schemas that check its requests. */
export function describeApi(settings: ServerSettings): object {
  const needsToken = (endpoint?: (typeof endpointNames)[number]) =>
    settings.auth !== undefined && (endpoint === undefined || !settings.open.has(endpoint));
  const secured = (operation: object, endpoint?: (typeof endpointNames)[number]) => ({
    ...operation,
    ...(needsToken(endpoint) && { security: [{ bearer: [] }] }),
  });
  const askBody = { required: true, content: json("AskRequest") };
  return {
    openapi: "3.1.0",
    info: {
      title: "Constellation",
      version: documentVersion,
      description: "A mesh of librarians: ask it, watch a run, look at what happened.",
    },
    ...(settings.basePath !== "" && { servers: [{ url: settings.basePath }] }),
    paths: {
      "/ask": {
        post: secured({
          operationId: "ask",
          summary: "Ask, and get the response",
          requestBody: askBody,
          responses: {
            200: answer("The answer, whole or partial.", "Response"),
            202: answer("With `background`: the run, which continues.", "RunState"),
            ...failures,
          },
        }),
      },
      "/ask/stream": {
        post: secured({ operationId: "askAndWatch", ...streamed, requestBody: askBody }),
        get: secured({
          operationId: "askAndWatchByUrl",
          ...streamed,
          parameters: askParameters(settings),
        }),
      },
      ...Object.fromEntries(
        Object.entries(chatFormats).flatMap(([format, name]) => chatPaths(format, name, secured)),
      ),
      "/runs": {
        get: secured({
          operationId: "listRuns",
          summary: "The last runs, newest first",
          parameters: [
            { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 200 } },
            {
              name: "before",
              in: "query",
              description: "Id of the last run of the page before.",
              schema: { type: "string" },
            },
            {
              name: "q",
              in: "query",
              description: "Text in the question, the first librarian, the user or the id.",
              schema: { type: "string" },
            },
            { name: "outcome", in: "query", schema: { enum: Object.keys(outcomes) } },
            ...["user", "librarian", "error", "dataset"].map((name) => ({
              ...{ name, in: "query", schema: { type: "string" } },
            })),
            ...["slower", "cost", "seconds"].map((name) => ({
              ...{ name, in: "query", schema: { type: "number", minimum: 0 } },
            })),
            { name: "rating", in: "query", schema: { enum: ["up", "down"] } },
          ],
          responses: { 200: answer("The runs.", "RunList"), 400: failure("A parameter is wrong.") },
        }),
      },
      "/runs/{id}": {
        get: secured({
          operationId: "getRun",
          summary: "What happened in a run",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            {
              name: "format",
              in: "query",
              description: "`json`: as `constellation replay` reads it. `mermaid`: a flowchart.",
              schema: { enum: ["json", "mermaid"] },
            },
          ],
          responses: {
            200: {
              description: "The run; with `format=json` its record alone.",
              content: {
                "application/json": {
                  schema: { anyOf: [{ $ref: "#/components/schemas/Run" }, { type: "object" }] },
                },
                "text/plain": {},
              },
            },
            400: failure("A parameter is wrong."),
            404: failure("No such run is kept."),
          },
        }),
      },
      "/runs/{id}/feedback": {
        put: secured({
          operationId: "rateRun",
          summary: "Say what you think of an answer",
          parameters: [idParameter("id")],
          requestBody: { required: true, content: json("FeedbackBody") },
          responses: {
            200: answer("The feedback, as it is kept.", "Feedback"),
            400: failure("A field is wrong."),
            404: failure("No such run is kept."),
            409: failure("The run has no answer yet."),
          },
        }),
      },
      "/runs/{id}/dataset": {
        put: secured({
          operationId: "addToDataset",
          summary: "Keep a run as a case of a dataset, or as the answer of an experiment to a case",
          parameters: [idParameter("id")],
          requestBody: { required: true, content: json("DatasetPlace") },
          responses: {
            200: answer("Its place, as it is kept.", "DatasetPlace"),
            400: failure("A field is wrong."),
            404: failure("No such run is kept."),
            409: failure("The run has no answer yet."),
          },
        }),
        delete: secured({
          operationId: "removeFromDataset",
          summary: "Take a run out of its dataset",
          parameters: [idParameter("id")],
          responses: {
            204: { description: "It is in none." },
            404: failure("No such run is kept."),
          },
        }),
      },
      "/runs/datasets": {
        get: secured({
          operationId: "listDatasets",
          summary: "Datasets of runs, with their experiments",
          responses: { 200: answer("The datasets.", "DatasetList") },
        }),
      },
      "/runs/stats": {
        get: secured({
          operationId: "countRuns",
          summary: "Figures of runs, beside those of the time before",
          parameters: [
            {
              name: "seconds",
              in: "query",
              description: "How far back. A day where not given.",
              schema: { type: "integer", minimum: 60 },
            },
            {
              name: "by",
              in: "query",
              description: "What there is a line for each of: several, with commas between.",
              style: "form",
              explode: false,
              schema: { type: "array", items: { enum: [...statsGroups] } },
            },
          ],
          responses: {
            200: answer("The figures.", "RunStats"),
            400: failure("A parameter is wrong."),
          },
        }),
      },
      "/runs/cases": {
        get: secured({
          operationId: "listCases",
          summary:
            "Runs with feedback, or those of a dataset, as cases for `constellation eval`: JSON lines",
          parameters: [{ name: "dataset", in: "query", schema: { type: "string" } }],
          responses: { 200: { description: "The cases.", content: { "application/jsonl": {} } } },
        }),
      },
      "/runs/{id}/events": {
        get: secured({
          operationId: "watchRun",
          summary: "Watch a journaled run",
          description:
            "Server-sent events, whatever process works on it: `run`, `entry:hop`, `entry:model` and `entry:step` with an id, `waiting`, at last `response`. `last-event-id` continues after an entry.",
          parameters: [
            idParameter("id"),
            { name: "last-event-id", in: "header", schema: { type: "integer", minimum: 0 } },
            { name: "lastEventId", in: "query", schema: { type: "integer", minimum: 0 } },
          ],
          responses: {
            200: { description: "Events.", content: { "text/event-stream": {} } },
            404: failure("No such run is in the journal."),
          },
        }),
      },
      "/runs/{id}/cancel": {
        post: secured({
          operationId: "cancelRun",
          summary: "Cancel a journaled run",
          parameters: [idParameter("id")],
          responses: {
            202: answer("`ended`, or `running` until its process stops it.", "RunState"),
            404: failure("No such run is in the journal."),
          },
        }),
      },
      "/runs/{id}/replay": {
        post: secured({
          operationId: "replayRun",
          summary: "Run a journaled run again without a call of a librarian or a model",
          parameters: [idParameter("id")],
          responses: {
            200: answer("The run as it was, under an id of its own.", "Replay"),
            404: failure("No such run is in the journal, or it has not ended."),
          },
        }),
      },
      "/runs/{id}/fork": {
        post: secured({
          operationId: "forkRun",
          summary: "Ask a journaled run again from one hop on, as a new run",
          parameters: [idParameter("id")],
          requestBody: { required: true, content: json("Fork") },
          responses: {
            202: answer("The new run.", "RunState"),
            400: failure("A field is wrong."),
            403: failure("It is another user's run."),
            404: failure("No such run or hop is in the journal."),
          },
        }),
      },
      ...(settings.webhooks !== undefined && {
        "/runs/{id}/events/{name}": {
          post: {
            operationId: "reportEvent",
            summary: "Report an event that a run waits for, signed as Standard Webhooks has it",
            parameters: [
              idParameter("id"),
              idParameter("name"),
              ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
                ...{ name, in: "header", required: true, schema: { type: "string" } },
              })),
            ],
            requestBody: { required: true, content: { "application/json": { schema: {} } } },
            responses: {
              202: answer("The run continues.", "RunState"),
              401: failure("The signature is not valid, or too old."),
              404: failure("The run does not wait for it."),
            },
          },
        },
      }),
      "/runs/{id}/waiting/{waitId}": {
        post: secured({
          operationId: "answerWait",
          summary: "Approve, refuse or answer what a run waits for",
          parameters: [idParameter("id"), idParameter("waitId")],
          requestBody: { required: true, content: json("WaitAnswer") },
          responses: {
            202: answer("The run continues.", "RunState"),
            400: failure("The answer does not fit."),
            403: failure("The user may not answer."),
            404: failure("Nothing waits for it."),
          },
        }),
      },
      "/waiting": {
        get: secured({
          operationId: "listWaiting",
          summary: "What runs wait for, as far as the user may answer it; oldest first",
          responses: { 200: answer("What they wait for.", "WaitingList") },
        }),
      },
      "/threads": {
        get: secured({
          operationId: "listThreads",
          summary: "The user's threads, the one last asked in first",
          parameters: [
            { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 200 } },
            {
              name: "before",
              in: "query",
              description: "Only those last asked in before this moment, in epoch milliseconds.",
              schema: { type: "integer", minimum: 0 },
            },
          ],
          responses: { 200: answer("The threads.", "ThreadList"), ...noThread },
        }),
      },
      "/threads/{id}": {
        get: secured({
          operationId: "getThread",
          summary: "A thread of the user, with its turns: also its export",
          parameters: [idParameter("id")],
          responses: { 200: answer("The thread.", "Thread"), ...noThread },
        }),
        patch: secured({
          operationId: "renameThread",
          summary: "Rename a thread of the user",
          parameters: [idParameter("id")],
          requestBody: { required: true, content: json("ThreadTitle") },
          responses: { 200: answer("The thread.", "ThreadSummary"), ...noThread },
        }),
        delete: secured({
          operationId: "deleteThread",
          summary: "Delete a thread of the user, its turns and their runs",
          parameters: [idParameter("id")],
          responses: { 204: { description: "It is gone." }, ...noThread },
        }),
      },
      "/librarians": {
        get: secured(
          {
            operationId: "listLibrarians",
            summary: "Librarians and their health",
            responses: { 200: answer("The librarians.", "Librarians") },
          },
          "librarians",
        ),
      },
      "/healthz": {
        get: secured(
          {
            operationId: "getHealth",
            summary: "The process is alive",
            responses: { 200: { description: "It is." } },
          },
          "healthz",
        ),
      },
      "/readyz": {
        get: secured(
          {
            operationId: "getReadiness",
            summary: "The mesh is ready",
            responses: {
              200: answer("It can.", "Readiness"),
              503: answer("Every librarian is down, or the server is closing.", "Readiness"),
            },
          },
          "readyz",
        ),
      },
      "/metrics": {
        get: secured(
          {
            operationId: "getMetrics",
            summary: "Figures for Prometheus",
            responses: { 200: { description: "Text.", content: { "text/plain": {} } } },
          },
          "metrics",
        ),
      },
    },
    components: {
      schemas: {
        AskRequest: askRequestJson(settings),
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

function idParameter(name: string): object {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function json(name: string): object {
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}

function answer(description: string, name: string): object {
  return { description, content: json(name) };
}

function failure(description: string): object {
  return answer(description, "Failure");
}

/** One description for each status of the table of codes, and those of the server itself. */
const failures: Readonly<Record<string, object>> = (() => {
  const codesOf = new Map<number, string[]>([
    [401, ["UNAUTHORIZED"]],
    [413, ["INVALID_QUERY"]],
    [415, ["INVALID_QUERY"]],
  ]);
  for (const [code, { httpStatus }] of Object.entries(errorCodes)) {
    codesOf.set(httpStatus, [...(codesOf.get(httpStatus) ?? []), code]);
  }
  return Object.fromEntries(
    [...codesOf].map(([status, codes]) => [status, failure(`\`error.code\`: ${codes.join(", ")}`)]),
  );
})();

const noThread = { 404: failure("The user has no such thread, or the server has no journal.") };

const streamed = {
  summary: "Ask, and watch",
  description:
    "Server-sent events: `run` (its id), then every event of the run under its own name as it happens (`hop:start`, `hop:progress`, `hop:end` ...), at last `response` with `status` and `response`. Closing the connection cancels the run.",
  responses: {
    200: { description: "Events.", content: { "text/event-stream": {} } },
    400: failure("A field is wrong."),
    429: failure("Too many requests."),
    431: failure("The URL or the headers are too long."),
    503: failure("The server is busy or closing."),
  },
};

/** Forms of a stream that other libraries read, and whose they are. */
const chatFormats = {
  "ui-messages": "UI messages of the AI SDK",
  "ag-ui": "AG-UI events",
} as const;

function chatPaths(
  format: string,
  name: string,
  secured: (operation: object) => object,
): readonly (readonly [string, object])[] {
  const operation = format === "ag-ui" ? "Agui" : "UIMessages";
  const content = { "application/json": { schema: { type: "object" } } };
  return [
    [
      `/ask/${format}`,
      {
        post: secured({
          ...streamed,
          operationId: `ask${operation}`,
          summary: `Ask, and watch as ${name}`,
          description: `Takes what a client of this form sends, or the body of POST /ask. The header \`constellation-stream: ${format}\` of POST /ask does the same.`,
          requestBody: { required: true, content },
          responses: { ...streamed.responses, 404: failure("Nothing waits for the answer.") },
        }),
      },
    ],
    [
      `/ask/${format}/{chatId}/stream`,
      {
        get: secured({
          ...streamed,
          operationId: `watch${operation}`,
          summary: `Watch the run of a chat that continues in the background, as ${name}`,
          parameters: [idParameter("chatId")],
          responses: {
            ...streamed.responses,
            204: { description: "No run of the chat is in progress." },
          },
        }),
      },
    ],
  ];
}

const askParameters = ({ limits }: ServerSettings) => [
  {
    name: "query",
    in: "query",
    required: true,
    schema: { type: "string", minLength: 1, maxLength: limits.queryLength, pattern: "\\S" },
  },
  { name: "to", in: "query", schema: { type: "string", pattern: "^[a-z0-9-]{1,64}$" } },
  { name: "thread", in: "query", schema: { type: "string", minLength: 1, maxLength: 200 } },
  {
    name: "timeoutMs",
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: limits.timeoutMs },
  },
  {
    name: "merge",
    in: "query",
    description: "A strategy's name, or `quorum:n`.",
    schema: {
      type: "string",
      pattern: `^(${mergeStrategyNames.join("|")}|quorum:([1-9][0-9]{0,2}|1000))$`,
    },
  },
];

/** The body of a question, without the envelope that other meshes add to it. */
function askRequestJson({ limits }: ServerSettings): object {
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
