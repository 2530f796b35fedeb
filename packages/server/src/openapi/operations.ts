import { errorCodes, mergeStrategyNames } from "@constellation/core";
import type { endpointNames } from "../options.js";
import { statsGroups } from "../runs/count-runs.js";
import { outcomes } from "../runs/run-routes.js";
import type { ServerSettings } from "../settings.js";

/** One row of the table of operations. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Beside the parts of its path. */
  readonly parameters?: readonly object[];
  /** Name of the schema of its body. */
  readonly body?: string | object;
  /** By status: its meaning, and the schema of the body; for failures the schema is `Failure`. */
  readonly replies: Readonly<
    Record<number, string | readonly [meaning: string, schema: string] | object>
  >;
  /** Needs no token where the server leaves this endpoint open. `public`: it never needs one. */
  readonly endpoint?: (typeof endpointNames)[number] | "public";
}

/** Operations by method and path: `GET /runs/{id}`. */
export type Operations = Readonly<Record<string, Operation>>;

const limit = query("limit", { type: "integer", minimum: 1, maximum: 200 });
const noRun = { 404: "No such run is kept." };
const noJournaledRun = { 404: "No such run is in the journal." };
const noThread = { 404: "The user has no such thread, or the server has no journal." };
const wrongParameter = { 400: "A parameter is wrong." };
const wrongField = { 400: "A field is wrong." };
const noAnswer = { 409: "The run has no answer yet." };
const events = { description: "Events.", content: { "text/event-stream": {} } };
const streamed = {
  summary: "Ask, and watch",
  description:
    "Server-sent events: `run` (its id), then every event of the run under its own name as it happens (`hop:start`, `hop:progress`, `hop:end` ...), at last `response` with `status` and `response`. Closing the connection cancels the run.",
  replies: {
    200: events,
    ...wrongField,
    429: "Too many requests.",
    431: "The URL or the headers are too long.",
    503: "The server is busy or closing.",
  },
};

/** The operations of a server. @param askFields - Of the body of `POST /ask`. */
export function listOperations(settings: ServerSettings, askFields: AskFields): Operations {
  return {
    "POST /ask": {
      id: "ask",
      summary: "Ask, and get the response",
      body: "AskRequest",
      replies: {
        200: ["The answer, whole or partial.", "Response"],
        202: ["With `background`: the run, which continues.", "RunState"],
        ...failures,
      },
    },
    "POST /ask/stream": { id: "askAndWatch", ...streamed, body: "AskRequest" },
    "GET /ask/stream": {
      id: "askAndWatchByUrl",
      ...streamed,
      parameters: askParameters(askFields),
    },
    ...chatOperations("ui-messages", "UIMessages", "UI messages of the AI SDK"),
    ...chatOperations("ag-ui", "Agui", "AG-UI events"),
    "GET /runs": {
      id: "listRuns",
      summary: "The last runs, newest first",
      parameters: [
        limit,
        query("before", { type: "string" }, "Id of the last run of the page before."),
        query(
          "q",
          { type: "string" },
          "Text in the question, the first librarian, the user or the id.",
        ),
        query("outcome", { enum: Object.keys(outcomes) }),
        ...["user", "librarian", "error", "dataset"].map((name) => query(name, { type: "string" })),
        ...["slower", "cost", "seconds"].map((name) => query(name, { type: "number", minimum: 0 })),
        query("rating", { enum: ["up", "down"] }),
      ],
      replies: { 200: ["The runs.", "RunList"], ...wrongParameter },
    },
    "GET /runs/{id}": {
      id: "getRun",
      summary: "What happened in a run",
      parameters: [
        query(
          "format",
          { enum: ["json", "mermaid"] },
          "`json`: as `constellation replay` reads it. `mermaid`: a flowchart.",
        ),
      ],
      replies: {
        200: {
          description: "The run; with `format=json` its record alone.",
          content: {
            "application/json": {
              schema: { anyOf: [{ $ref: "#/components/schemas/Run" }, { type: "object" }] },
            },
            "text/plain": {},
          },
        },
        ...wrongParameter,
        ...noRun,
      },
    },
    "PUT /runs/{id}/feedback": {
      id: "rateRun",
      summary: "Say what you think of an answer",
      body: "FeedbackBody",
      replies: {
        200: ["The stored feedback.", "Feedback"],
        ...{ ...wrongField, ...noRun, ...noAnswer },
      },
    },
    "PUT /runs/{id}/dataset": {
      id: "addToDataset",
      summary: "Keep a run as a case of a dataset, or as the answer of an experiment to a case",
      body: "DatasetPlace",
      replies: {
        200: ["The stored entry.", "DatasetPlace"],
        ...{ ...wrongField, ...noRun, ...noAnswer },
      },
    },
    "DELETE /runs/{id}/dataset": {
      id: "removeFromDataset",
      summary: "Take a run out of its dataset",
      replies: { 204: "It is in no dataset.", ...noRun },
    },
    "GET /runs/datasets": {
      id: "listDatasets",
      summary: "Datasets of runs, with their experiments",
      replies: { 200: ["The datasets.", "DatasetList"] },
    },
    "GET /runs/stats": {
      id: "countRuns",
      summary: "Figures of runs, beside those of the time before",
      parameters: [
        query("seconds", { type: "integer", minimum: 60 }, "How far back. A day where not given."),
        {
          ...query(
            "by",
            { type: "array", items: { enum: [...statsGroups] } },
            "Groupings, separated by commas: each has a line for every value.",
          ),
          ...{ style: "form", explode: false },
        },
      ],
      replies: { 200: ["The figures.", "RunStats"], ...wrongParameter },
    },
    "GET /runs/cases": {
      id: "listCases",
      summary:
        "Runs with feedback, or those of a dataset, as cases for `constellation eval`: JSON lines",
      parameters: [query("dataset", { type: "string" })],
      replies: { 200: { description: "The cases.", content: { "application/jsonl": {} } } },
    },
    "GET /runs/{id}/events": {
      id: "watchRun",
      summary: "Watch a journaled run",
      description:
        "Server-sent events, whatever process works on it: `run`, `entry:hop`, `entry:model` and `entry:step` with an id, `waiting`, at last `response`. `last-event-id` continues after an entry.",
      parameters: [
        { name: "last-event-id", in: "header", schema: { type: "integer", minimum: 0 } },
        query("lastEventId", { type: "integer", minimum: 0 }),
      ],
      replies: { 200: events, ...noJournaledRun },
    },
    "POST /runs/{id}/cancel": {
      id: "cancelRun",
      summary: "Cancel a journaled run",
      replies: {
        202: ["`ended`, or `running` until its process stops it.", "RunState"],
        ...noJournaledRun,
      },
    },
    "POST /runs/{id}/replay": {
      id: "replayRun",
      summary: "Run a journaled run again without a call of a librarian or a model",
      replies: {
        200: ["The run as it was, under an id of its own.", "Replay"],
        404: "No such run is in the journal, or it has not ended.",
      },
    },
    "POST /runs/{id}/fork": {
      id: "forkRun",
      summary: "Ask a journaled run again from one hop on, as a new run",
      body: "Fork",
      replies: {
        202: ["The new run.", "RunState"],
        ...wrongField,
        403: "It is another user's run.",
        404: "No such run or hop is in the journal.",
      },
    },
    ...(settings.webhooks !== undefined && {
      "POST /runs/{id}/events/{name}": {
        id: "reportEvent",
        endpoint: "public",
        summary: "Report an event that a run waits for, signed as defined by Standard Webhooks",
        parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
          ...{ name, in: "header", required: true, schema: { type: "string" } },
        })),
        body: { "application/json": { schema: {} } },
        replies: {
          202: ["The run continues.", "RunState"],
          401: "The signature is not valid, or too old.",
          404: "The run does not wait for it.",
        },
      },
    }),
    "POST /runs/{id}/waiting/{waitId}": {
      id: "answerWait",
      summary: "Approve, refuse or answer what a run waits for",
      body: "WaitAnswer",
      replies: {
        202: ["The run continues.", "RunState"],
        400: "The answer does not fit.",
        403: "The user may not answer.",
        404: "Nothing waits for it.",
      },
    },
    "GET /waiting": {
      id: "listWaiting",
      summary: "What runs wait for, as far as the user may answer it; oldest first",
      replies: { 200: ["What they wait for.", "WaitingList"] },
    },
    "GET /threads": {
      id: "listThreads",
      summary: "The user's threads, the one last asked in first",
      parameters: [
        limit,
        query(
          "before",
          { type: "integer", minimum: 0 },
          "Only threads whose last question is before this moment, in epoch milliseconds.",
        ),
      ],
      replies: { 200: ["The threads.", "ThreadList"], ...noThread },
    },
    "GET /threads/{id}": {
      id: "getThread",
      summary: "A thread of the user, with its turns: also its export",
      replies: { 200: ["The thread.", "Thread"], ...noThread },
    },
    "PATCH /threads/{id}": {
      id: "renameThread",
      summary: "Rename a thread of the user",
      body: "ThreadTitle",
      replies: { 200: ["The thread.", "ThreadSummary"], ...noThread },
    },
    "DELETE /threads/{id}": {
      id: "deleteThread",
      summary: "Delete a thread of the user, its turns and their runs",
      replies: { 204: "It was deleted.", ...noThread },
    },
    "GET /librarians": {
      ...{ id: "listLibrarians", endpoint: "librarians", summary: "Librarians and their health" },
      replies: { 200: ["The librarians.", "Librarians"] },
    },
    "GET /healthz": {
      ...{ id: "getHealth", endpoint: "healthz", summary: "The process is alive" },
      replies: { 200: "It is alive." },
    },
    "GET /readyz": {
      ...{ id: "getReadiness", endpoint: "readyz", summary: "The mesh is ready" },
      replies: {
        200: ["Questions can be answered.", "Readiness"],
        503: ["Every librarian is down, or the server is closing.", "Readiness"],
      },
    },
    "GET /metrics": {
      ...{ id: "getMetrics", endpoint: "metrics", summary: "Figures for Prometheus" },
      replies: { 200: { description: "Text.", content: { "text/plain": {} } } },
    },
  };
}

/** Operations of a stream in a form that other libraries read. */
function chatOperations(format: string, id: string, name: string): Operations {
  return {
    [`POST /ask/${format}`]: {
      id: `ask${id}`,
      summary: `Ask, and watch as ${name}`,
      description: `Takes what a client of this form sends, or the body of POST /ask. The header \`constellation-stream: ${format}\` of POST /ask does the same.`,
      body: { "application/json": { schema: { type: "object" } } },
      replies: { ...streamed.replies, 404: "Nothing waits for the answer." },
    },
    [`GET /ask/${format}/{chatId}/stream`]: {
      ...streamed,
      id: `watch${id}`,
      summary: `Watch the run of a chat that continues in the background, as ${name}`,
      replies: { ...streamed.replies, 204: "No run of the chat is in progress." },
    },
  };
}

/** One description for each status of the table of codes, and those of the server itself. */
const failures: Readonly<Record<number, string>> = (() => {
  const codesOf = new Map<number, string[]>([
    [401, ["UNAUTHORIZED"]],
    [413, ["INVALID_QUERY"]],
    [415, ["INVALID_QUERY"]],
  ]);
  for (const [code, { httpStatus }] of Object.entries(errorCodes)) {
    codesOf.set(httpStatus, [...(codesOf.get(httpStatus) ?? []), code]);
  }
  return Object.fromEntries(
    [...codesOf].map(([status, codes]) => [status, `\`error.code\`: ${codes.join(", ")}`]),
  );
})();

/** JSON schemas of the fields of a question, by name. */
export type AskFields = Readonly<Record<string, object>>;

const askParameters = (fields: AskFields) => [
  { ...query("query", fields.query ?? {}), required: true },
  ...["to", "thread", "timeoutMs"].map((name) => query(name, fields[name] ?? {})),
  query(
    "merge",
    {
      type: "string",
      pattern: `^(${mergeStrategyNames.join("|")}|quorum:([1-9][0-9]{0,2}|1000))$`,
    },
    "A strategy's name, or `quorum:n`.",
  ),
];

/** A parameter of the query. */
function query(name: string, schema: object, description?: string): object {
  return { name, in: "query", ...(description !== undefined && { description }), schema };
}
