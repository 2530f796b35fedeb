import { printMermaid } from "@constellation/core";
import { describeValue } from "@constellation/core/authoring";
import type { FastifyInstance } from "fastify";
import { Problem, wrongField } from "../http/problem.js";
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
export function addRunRoutes(app: FastifyInstance, { runs, settings }: Service): void {
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
    const mayRead = ({ user }: RunSummary) => settings.mayReadRun(request.user, { user });
    const sought = q.trim().toLowerCase();
    const page = await runs.list({
      limit: Number(limit),
      before,
      matches: (run) =>
        (outcome === undefined || outcomes[outcome](run)) &&
        (sought === "" || (mayRead(run) && textOf(run).includes(sought))),
    });
    return {
      hasMore: page.hasMore,
      runs: page.runs.map(({ query, user, ...run }) => ({
        ...run,
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
      if (run === undefined) {
        throw new Problem(404, "NOT_FOUND", "Run not found.", {
          suggestion: `Only the last ${settings.limits.runs} runs are kept; /runs lists them.`,
        });
      }
      const shown = settings.mayReadRun(request.user, { user: run.user })
        ? ownRun(run)
        : { ...withoutTexts(run), withheld: true as const };
      if (format === "mermaid") {
        return reply.type("text/plain; charset=utf-8").send(printMermaid(shown.record));
      }
      return format === "json" ? { response: shown.response, run: shown.record } : shown;
    },
  );
}

/** A run for those who may read it: of its user the id alone. */
function ownRun({ user, ...run }: KeptRun) {
  return { ...run, ...(user !== undefined && { user: { id: user.id } }) };
}
