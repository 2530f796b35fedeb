import { describeValue } from "@constellation/authoring";
import { printMermaid, type Response, type User, type Waiting } from "@constellation/core";
import type { RunStatus } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import { Problem, wrongField } from "../http/problem.js";
import { readOutcome } from "../journal/journal.schema.js";
import { mayReadStored } from "../journal/journal-routes.js";
import type { Service } from "../service.js";
import { type KeptRun, type RunSummary, withoutTexts } from "./kept-run.js";

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
}

/** Values of the parameter `outcome`. */
export const outcomes = {
  answered: ({ stopReason }: RunSummary) => stopReason === "answered" || stopReason === "partial",
  unanswered: ({ stopReason }: RunSummary) =>
    stopReason !== undefined && stopReason !== "answered" && stopReason !== "partial",
  running: ({ stopReason }: RunSummary) => stopReason === undefined,
};

function isOutcome(value: string): value is keyof typeof outcomes {
  return Object.hasOwn(outcomes, value);
}

function textOf({ runId, query = "", to, user }: RunSummary): string {
  return [runId, query, to, user?.id ?? ""].join("\n").toLowerCase();
}

/** Adds `GET /runs` and `GET /runs/:id`. */
export function addRunRoutes(app: FastifyInstance, service: Service): void {
  const { router, runs, settings } = service;
  app.get<{ Querystring: RunsQuery }>("/runs", async (request) => {
    const { limit = "50", before, q = "", outcome } = request.query;
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
    const filter = createLibrarianFilter(router, request.user);
    const mayRead = ({ user }: RunSummary) => settings.mayReadRun(request.user, { user });
    const sought = q.trim().toLowerCase();
    const page = await runs.list({
      limit: Number(limit),
      before,
      matches: (run) =>
        (outcome === undefined || outcomes[outcome](run)) &&
        (sought === "" || (mayRead(run) && textOf(filter.apply(run)).includes(sought))),
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
