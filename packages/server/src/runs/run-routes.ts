import { printMermaid } from "@constellation/authoring";
import type { Response, User, Waiting } from "@constellation/core";
import type { RunStatus } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import { Problem } from "../http/problem.js";
import { readChoice, readInteger, readNumber } from "../http/read-request.js";
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

const outcomeNames = Object.keys(outcomes) as (keyof typeof outcomes)[]; // the keys of a constant

function readConditions({ user, librarian, error, slower, cost }: RunsQuery): RunConditions {
  return {
    ...(user !== undefined && { user }),
    ...(librarian !== undefined && { librarian }),
    ...(error !== undefined && { error }),
    ...(slower !== undefined && { slower: readNumber("slower", slower) }),
    ...(cost !== undefined && { cost: readNumber("cost", cost) }),
  };
}

function searchText({ runId, query = "", to, user }: RunSummary): string {
  return [runId, query, to, user?.id ?? ""].join("\n").toLowerCase();
}

/** Adds `GET /runs` and `GET /runs/:id`. */
export function addRunRoutes(app: FastifyInstance, service: Service): void {
  const { router, runs, settings } = service;
  app.get<{ Querystring: RunsQuery }>("/runs", async (request) => {
    const { before, q = "", seconds, dataset } = request.query;
    const limit = readInteger("limit", request.query.limit ?? "50", 1, maxList);
    const outcome = readChoice("outcome", request.query.outcome, outcomeNames);
    const rating = readChoice("rating", request.query.rating, ["up", "down"]);
    const conditions = readConditions(request.query);
    const since = seconds === undefined ? 0 : Date.now() - readNumber("seconds", seconds) * 1_000;
    const filter = createLibrarianFilter(router, request.user);
    const mayRead = ({ user }: RunSummary) => settings.mayReadRun(request.user, { user });
    const sought = q.trim().toLowerCase();
    const page = await runs.list({
      limit,
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
      const format = readChoice("format", request.query.format, ["json", "mermaid"]);
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
