import { describeValue, printMermaid } from "@constellation/authoring";
import type { Response, User, Waiting } from "@constellation/core";
import type { RunStatus } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import { Problem, wrongField } from "../http/problem.js";
import { readOutcome } from "../journal/journal.schema.js";
import { mayReadStored } from "../journal/journal-routes.js";
import type { Service } from "../service.js";
import { type KeptRun, type RunSummary, withoutTexts } from "./kept-run.js";
import { matchesRun, type RunConditions } from "./match-run.js";

/** Maximum number of runs in one list. */
const maxList = 200;

/** Parameters of `GET /runs`. */
interface RunsQuery {
  readonly limit?: string;
  /** Id of the last run of the page before. */
  readonly before?: string;
  /** Text in the question, the first librarian, the user or the id. */
  readonly q?: string;
  readonly outcome?: string;
  /** Id of the user, of a librarian that was called, and a row of `errorCodes`. */
  readonly user?: string;
  readonly librarian?: string;
  readonly error?: string;
  /** Only runs that took longer, in milliseconds, and that cost more, in US dollars. */
  readonly slower?: string;
  readonly cost?: string;
  /** Only those of the last seconds. */
  readonly seconds?: string;
  readonly rating?: string;
  readonly dataset?: string;
}

/** Values of the parameter `outcome`. */
export const outcomes = {
  answered: ({ stopReason }: RunSummary) => stopReason === "answered" || stopReason === "partial",
  unanswered: ({ stopReason }: RunSummary) =>
    stopReason !== undefined && stopReason !== "answered" && stopReason !== "partial",
  running: ({ stopReason }: RunSummary) => stopReason === undefined,
};

function readConditions({ user, librarian, error, slower, cost }: RunsQuery): RunConditions {
  return {
    ...(user !== undefined && { user }),
    ...(librarian !== undefined && { librarian }),
    ...(error !== undefined && { error }),
    ...(slower !== undefined && { slower: readNumber("slower", slower, 0) }),
    ...(cost !== undefined && { cost: readNumber("cost", cost, 0) }),
  };
}

/** @throws Problem 400 that names the parameter. */
function readNumber(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  if (/^\d{1,12}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  throw wrongField(name, `expected a number of 0 or more, got ${describeValue(text)}`);
}

function isOutcome(value: string): value is keyof typeof outcomes {
  return Object.hasOwn(outcomes, value);
}

function searchText({ runId, query = "", to, user }: RunSummary): string {
  return [runId, query, to, user?.id ?? ""].join("\n").toLowerCase();
}

/** Adds `GET /runs` and `GET /runs/:id`. */
export function addRunRoutes(app: FastifyInstance, service: Service): void {
  const { router, runs, settings } = service;
  app.get<{ Querystring: RunsQuery }>("/runs", async (request) => {
    const { limit = "50", before, q = "", outcome, rating, dataset } = request.query;
    if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > maxList) {
      throw wrongField(
        "limit",
        `expected an integer from 1 to ${maxList}, got ${describeValue(limit)}`,
      );
    }
    if (outcome !== undefined && !isOutcome(outcome)) {
      throw wrongField(
        "outcome",
        `expected one of ${Object.keys(outcomes).join(", ")}, got ${describeValue(outcome)}`,
      );
    }
    if (rating !== undefined && rating !== "up" && rating !== "down") {
      throw wrongField("rating", `expected up or down, got ${describeValue(rating)}`);
    }
    const conditions = readConditions(request.query);
    const since = Date.now() - readNumber("seconds", request.query.seconds, Infinity) * 1_000;
    const filter = createLibrarianFilter(router, request.user);
    const mayRead = ({ user }: RunSummary) => settings.mayReadRun(request.user, { user });
    const sought = q.trim().toLowerCase();
    const page = await runs.list({
      limit: Number(limit),
      before,
      until: ({ startedAt }) => startedAt < since,
      matches: (run) =>
        (Object.keys(conditions).length === 0 ||
          (mayRead(run) && matchesRun(filter.apply(run), conditions))) &&
        (rating === undefined || run.rating === rating) &&
        (dataset === undefined || run.dataset?.name === dataset) &&
        (outcome === undefined || outcomes[outcome](run)) &&
        (sought === "" || (mayRead(run) && searchText(filter.apply(run)).includes(sought))),
    });
    return {
      hasMore: page.hasMore,
      runs: page.runs.map(({ query, user, ...run }) => ({
        ...filter.apply(run),
        ...(settings.mayReadRun(request.user, { user })
          ? { query, ...(user !== undefined && { user: { id: user.id } }) }
          : { withheld: true }),
      })),
    };
  });

  app.get<{ Params: { id: string }; Querystring: { format?: string } }>(
    "/runs/:id",
    async (request, reply) => {
      const { format } = request.query;
      if (format !== undefined && format !== "json" && format !== "mermaid") {
        throw wrongField("format", `expected json or mermaid, got ${describeValue(format)}`);
      }
      const run = await runs.get(request.params.id);
      const state = await readState(service, request.user, request.params.id);
      if (run === undefined && state !== undefined) {
        return createLibrarianFilter(router, request.user).apply(state);
      }
      if (run === undefined) {
        throw new Problem(404, "NOT_FOUND", "Run not found.", {
          suggestion: `Only the last ${settings.limits.runs} runs are kept; /runs lists them.`,
        });
      }
      const shown = createLibrarianFilter(router, request.user).apply(
        settings.mayReadRun(request.user, { user: run.user })
          ? { ...ownRun(run), ...state }
          : { ...withoutTexts(run), withheld: true as const },
      );
      if (format === "mermaid") {
        return reply.type("text/plain; charset=utf-8").send(printMermaid(shown.record));
      }
      return format === "json" ? { response: shown.response, run: shown.record } : shown;
    },
  );
}

/** What the journal knows of a run, whatever process works on it. */
async function readState(
  service: Service,
  user: User | undefined,
  runId: string,
): Promise<JournaledState | undefined> {
  const { journal } = service.settings;
  const stored = await journal?.store.readRun(runId);
  if (journal === undefined || stored === undefined) return undefined;
  const { status } = stored;
  if (!mayReadStored(service, user, stored)) return { runId, status, withheld: true };
  const response = readOutcome(stored);
  return {
    ...{ runId, status },
    ...(status === "waiting" && { waiting: await journal.waiting({ runId }) }),
    ...(response !== undefined && { response }),
  };
}

interface JournaledState {
  readonly runId: string;
  readonly status: RunStatus;
  readonly waiting?: readonly Waiting[];
  readonly response?: Response;
  readonly withheld?: true;
}

/** A run for those who may read it: of its user the id alone. */
function ownRun({ user, ...run }: KeptRun) {
  return { ...run, ...(user !== undefined && { user: { id: user.id } }) };
}
